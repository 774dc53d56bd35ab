import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseExact } from '../../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { QuestionKind, ResponderRule } from '../../responders/settings.ts'
import { UsageError } from '../output/exit-code.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** Rules by the kind of question; what is missing goes by what is stored, or is asked. */
export type TypedRules = Readonly<Partial<Record<QuestionKind, ResponderRule>>>

const KINDS: Readonly<Record<string, readonly QuestionKind[]>> = {
  sampling: ['sampling'],
  elicitation: ['elicitation-form', 'elicitation-url'],
  'elicitation-form': ['elicitation-form'],
  'elicitation-url': ['elicitation-url'],
  roots: ['roots'],
}
const EXPECTED =
  'ask, decline, never, fixed:JSON, template:JSON, script:FILE, model:ENDPOINT or wait:MS:RULE (and for roots a folder)'
/** Milliseconds of the longest timer there is. */
const LONGEST_MS = 2_147_483_647

/**
 * Parses `--responder KIND=RULE`, each as it was typed. JSON may be in a file, named after an @. Throws a `UsageError`
 * that says what was expected.
 */
export function readResponders(texts: readonly string[]): TypedRules {
  const rules: Partial<Record<QuestionKind, ResponderRule>> = {}
  const folders: string[] = []
  for (const text of texts) {
    const equals = text.indexOf('=')
    const [kind, rule] = [text.slice(0, Math.max(0, equals)), text.slice(equals + 1)]
    const kinds = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
    if (kinds === undefined) {
      const known = Object.keys(KINDS).join(', ')
      throw new UsageError(`--responder expects KIND=RULE with a KIND of ${known}, got "${text}"`)
    }
    const read = readRule(rule)
    if (read === undefined && kind === 'roots' && rule !== '') folders.push(path.resolve(rule))
    else if (read === undefined)
      throw new UsageError(`--responder ${kind}= expects ${EXPECTED}, got "${rule}"`)
    else if (read.kind === 'model' && kind !== 'sampling')
      throw new UsageError('a model answers sampling, nothing else: --responder sampling=model:ENDPOINT')
    else for (const each of kinds) rules[each] = read
  }
  return folders.length === 0 ? rules : { ...rules, roots: { kind: 'fixed', result: rootsOf(folders) } }
}

/** The answer to `roots/list` for folders (client features: roots). */
export function rootsOf(folders: readonly string[]): JsonObject {
  const roots = folders.map((folder) => ({ uri: pathToFileURL(folder).href, name: path.basename(folder) }))
  return { roots }
}

/** Undefined for a word that names no rule. */
function readRule(text: string): ResponderRule | undefined {
  const colon = text.indexOf(':')
  const name = colon === -1 ? text : text.slice(0, colon)
  const rest = colon === -1 ? '' : text.slice(colon + 1)
  switch (name) {
    case 'ask':
      return { kind: 'people' }
    case 'decline':
    case 'never':
      return { kind: name }
    case 'fixed':
      return { kind: 'fixed', result: readJson(name, rest) }
    case 'template':
      return { kind: 'template', template: readJson(name, rest) }
    case 'script':
      return { kind: 'script', file: path.resolve(expectedText(name, 'FILE', rest)) }
    case 'model': {
      const [endpointId = '', ...model] = expectedText(name, 'ENDPOINT', rest).split('/')
      return { kind: 'model', endpointId, ...(model.length > 0 && { model: model.join('/') }) }
    }
    case 'wait': {
      const [, digits = '', then = ''] = /^(\d+):(.+)$/s.exec(rest) ?? []
      const rule = readRule(then)
      if (rule === undefined || Number(digits) > LONGEST_MS)
        throw new UsageError(`wait: expects MS:RULE, as wait:500:decline, got "${rest}"`)
      return { kind: 'wait', ms: Number(digits), then: rule }
    }
    default:
      return undefined
  }
}

function expectedText(name: string, what: string, text: string): string {
  if (text === '') throw new UsageError(`${name}: expects ${what} after the colon`)
  return text
}

function readJson(name: string, text: string): JsonObject {
  let value: unknown
  try {
    value = parseExact(text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text, 'text')
  } catch (cause) {
    const reason = messageOf(cause)
    throw new UsageError(`${name}: expects a JSON object, or @FILE that holds one (${reason})`, { cause })
  }
  if (isJsonObject(value)) return value
  throw new UsageError(`${name}: expects a JSON object, or @FILE that holds one`)
}
