import { isUtf8 } from 'node:buffer'
import type { Masks } from '../../capture/recording/frame-lines.ts'
import { MASKED_SECRET } from '../../capture/redaction.ts'
import { parseExact, stringifyExact } from '../../protocol/exact-json.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { backtracks } from '../../protocol/patterns/linear-pattern.ts'
import type { RedactionRule } from './recording-settings.ts'

/** Masks what rules name, after what `masks` masks. Throws a `RangeError` that says what is wrong with a pattern. */
export function withRules(masks: Masks, rules: readonly RedactionRule[]): Masks {
  if (rules.length === 0) return masks
  const headers = new Set(rules.flatMap((rule) => (rule.type === 'header' ? rule.name.toLowerCase() : [])))
  const keys = new Set(rules.flatMap((rule) => (rule.type === 'key' ? rule.name.toLowerCase() : [])))
  const paths = rules.flatMap((rule) => (rule.type === 'path' ? [partsOf(rule.path)] : []))
  const patterns = rules.flatMap((rule) => (rule.type === 'pattern' ? [compiled(rule.pattern)] : []))
  const byPattern = (text: string): string =>
    patterns.reduce((masked, pattern) => masked.replaceAll(pattern, MASKED_SECRET), text)
  const text = (value: string): string => byPattern(masks.text(value))
  return {
    text,
    address: (address) => byPattern(masks.address(address)),
    header: (header, value) =>
      headers.has(header.toLowerCase()) ? MASKED_SECRET : byPattern(masks.header(header, value)),
    bytes: (bytes) => {
      const known = masks.bytes(bytes)
      if (!isUtf8(known)) return known
      const before = Buffer.from(known.buffer, known.byteOffset, known.byteLength).toString()
      const after = byPattern(keys.size + paths.length === 0 ? before : withoutMembers(before, keys, paths))
      return after === before ? known : Buffer.from(after)
    },
  }
}

function compiled(pattern: string): RegExp {
  let source: RegExp
  try {
    source = new RegExp(pattern, 'gu')
  } catch (error) {
    throw new RangeError(`the pattern ${pattern} is not a regular expression: ${messageOf(error)}`, {
      cause: error,
    })
  }
  if (backtracks(pattern))
    throw new RangeError(
      `the pattern ${pattern} could take minutes on a long text: expected one without nested repeats`,
    )
  return source
}

function withoutMembers(text: string, keys: ReadonlySet<string>, paths: readonly Path[]): string {
  let value: unknown
  try {
    value = parseExact(text)
  } catch {
    return text
  }
  const found = { count: 0 }
  const mask = (node: unknown, left: readonly Path[]): unknown => {
    if (typeof node !== 'object' || node === null) return node
    const isPlain = Array.isArray(node) || Object.getPrototypeOf(node) === Object.prototype
    if (!isPlain) return node
    const entries = Object.entries(node).map(([key, member]): [string, unknown] => {
      const inside = left.flatMap(([first, ...rest]) => (first === key || first === '*' ? [rest] : []))
      if (keys.has(key.toLowerCase()) || inside.some((rest) => rest.length === 0)) {
        found.count += 1
        return [key, MASKED_SECRET]
      }
      return [key, mask(member, inside)]
    })
    return Array.isArray(node) ? entries.map(([, member]) => member) : Object.fromEntries(entries)
  }
  const masked = mask(value, paths)
  return found.count > 0 ? stringifyExact(masked) : text
}

type Path = readonly string[]

/** `$.params.arguments.pin`, with or without the `$`. */
function partsOf(path: string): Path {
  return path
    .replace(/^\$\.?/, '')
    .replaceAll(/\[(\d+|\*)\]/g, '.$1')
    .split('.')
    .filter((part) => part !== '')
}
