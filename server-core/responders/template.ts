import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { stringifyExact } from '../protocol/exact-json.ts'
import { RuleError } from './rule-error.ts'

/** Characters of all texts that a template may come to. */
const LARGEST = 4 * 1024 * 1024

/**
 * Fills in a template: JSON in whose texts `{{path}}` stands for a member of the question. A path is names and numbers
 * with dots between (`params.message`, `params.messages.-1.content.text`; a negative number counts from the end).
 * `{{path | "else"}}` names the replacement of a missing member: another path or JSON. A text that is one
 * placeholder and nothing else becomes the member itself, whatever its type. There is no code in a template, and a
 * path reaches only members of the question, as JSON.
 *
 * @param what what the members are of, in words for errors
 * @throws RuleError `template` for a placeholder that cannot be read, or a member that is not there
 */
export function fillTemplate(template: JsonObject, question: JsonObject, what = 'question'): JsonObject {
  let length = 0
  const grown = (text: string): string => {
    length += text.length
    if (length > LARGEST) throw fault(`it comes to more than ${LARGEST} characters`)
    return text
  }
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return fillText(value, { members: question, what }, grown)
    if (Array.isArray(value)) return value.map(fill)
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fill(member)]))
  }
  return Object.fromEntries(Object.entries(template).map(([name, member]) => [name, fill(member)]))
}

/** What the paths of a template lead into. */
type Source = { readonly members: JsonObject; readonly what: string }

function fillText(text: string, source: Source, grown: (text: string) => string): unknown {
  const parts: unknown[] = []
  let at = 0
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', at)) {
    const end = endOf(text, open + 2)
    if (open > at) parts.push(text.slice(at, open))
    parts.push(valueOf(text.slice(open + 2, end), source))
    at = end + 2
    if (open === 0 && at === text.length) return parts[0]
  }
  parts.push(text.slice(at))
  return grown(parts.map((part) => (typeof part === 'string' ? part : stringifyExact(part))).join(''))
}

/** Where the placeholder ends: the first `}}` outside of a JSON string. */
function endOf(text: string, from: number): number {
  let quoted = false
  for (let at = from; at < text.length; at += 1) {
    const character = text[at]
    if (quoted && character === '\\') at += 1
    else if (character === '"') quoted = !quoted
    else if (!quoted && text.startsWith('}}', at)) return at
  }
  throw fault(`{{${text.slice(from, from + 60)} has no end`)
}

/** The first alternative that is there. */
function valueOf(expression: string, { members, what }: Source): unknown {
  const alternatives = splitAlternatives(expression)
  for (const alternative of alternatives) {
    const found = alternativeOf(alternative, members)
    if (found !== undefined) return found
  }
  throw fault(`the ${what} has no ${alternatives.join(' and no ')}`)
}

function splitAlternatives(expression: string): string[] {
  const parts = expression.match(/(?:"(?:[^"\\]|\\.)*"|[^"|])+/g) ?? []
  const alternatives = parts.map((part) => part.trim()).filter((part) => part !== '')
  if (alternatives.length > 0) return alternatives
  throw fault('a placeholder names nothing')
}

function alternativeOf(text: string, question: JsonObject): unknown {
  if (/^[\w$-]+(?:\.[\w$-]+)*$/.test(text) && !/^(?:true|false|null|-?\d)/.test(text))
    return memberOf(text.split('.'), question)
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw fault(`{{${text}}} is neither a path nor JSON`, cause)
  }
}

function memberOf(path: readonly string[], question: JsonObject): unknown {
  let found: unknown = question
  for (const step of path) {
    if (Array.isArray(found)) found = /^-?\d+$/.test(step) ? (found.at(Number(step)) as unknown) : undefined
    else found = isJsonObject(found) && Object.hasOwn(found, step) ? found[step] : undefined
  }
  return found
}

function fault(reason: string, cause?: unknown): RuleError {
  return new RuleError('template', `The template cannot be filled in: ${reason}.`, { cause })
}
