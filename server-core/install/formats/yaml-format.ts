import { isMap, isScalar, LineCounter, parseDocument, stringify, type Pair, type YAMLMap } from 'yaml'
import { isJsonObject } from '../../protocol/json.ts'
import {
  ConfigSyntaxError,
  lineEndOf,
  placeOf,
  splice,
  UneditableError,
  type ConfigEntry,
  type ConfigFormat,
} from './config-format.ts'

/** YAML, in block or flow style. Places come from the parser, the text between them stays. */
export const yamlFormat: ConfigFormat = { read, set, remove }

function read(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = documentOf(text).toJS({ maxAliasCount: 1_000 })
  return isJsonObject(value) ? value : {}
}

function set(text: string, path: readonly string[], name: string, entry: ConfigEntry): string {
  const root = rootOf(text)
  if (root === undefined) {
    const ending = text === '' || text.endsWith('\n') ? '' : lineEndOf(text)
    return `${text}${ending}${render(nested([...path, name], entry), '', text)}${lineEndOf(text)}`
  }
  let map = root
  for (const [depth, step] of path.entries()) {
    const missing = () => nested([...path.slice(depth + 1), name], entry)
    const pair = pairOf(text, map, step)
    if (pair === undefined) return insert(text, map, step, missing())
    if (isScalar(pair.value) && pair.value.value === null) return fill(text, map, pair, missing())
    if (pair.value === null) return fill(text, map, pair, missing())
    if (!isMap(pair.value)) {
      const where = path.slice(0, depth + 1).join('.')
      throw new ConfigSyntaxError(`"${where}" must be a map`, placeOf(text, startOf(pair)))
    }
    map = pair.value
  }
  const pair = pairOf(text, map, name)
  if (pair === undefined) return insert(text, map, name, entry)
  const range = { from: startOf(pair), to: endOf(text, pair) }
  const indent = ' '.repeat(columnOf(text, range.from))
  const put =
    map.flow === true
      ? `${text.slice(range.from, keyEnd(pair))}: ${JSON.stringify(entry)}`
      : render({ [name]: entry }, indent, text).slice(indent.length)
  return splice(text, [{ ...range, put }])
}

function remove(text: string, path: readonly string[], name: string): string {
  let map = rootOf(text)
  for (const step of path) {
    const value: unknown = map === undefined ? undefined : pairOf(text, map, step)?.value
    map = isMap(value) ? value : undefined
  }
  const pair = map === undefined ? undefined : pairOf(text, map, name)
  if (map === undefined || pair === undefined)
    throw new UneditableError(`there is no "${name}" in ${path.join('.')}`)
  const pairs = map.items
  const index = pairs.indexOf(pair)
  const from = startOf(pair)
  const to = endOf(text, pair)
  if (pairs.length === 1) {
    const range = map.flow === true ? { from, to } : { from, to: endOfLine(text, to) }
    return splice(text, [{ ...range, put: map.flow === true ? '' : '{}' }])
  }
  const next = pairs[index + 1]
  const previous = pairs[index - 1]
  if (map.flow === true) {
    if (next !== undefined) return splice(text, [{ from, to: startOf(next), put: '' }])
    return splice(text, [{ from: previous === undefined ? from : endOf(text, previous), to, put: '' }])
  }
  // Its lines, and the line end before them: comments below it stay.
  const start = text.lastIndexOf('\n', from - 1)
  if (start === -1)
    return splice(text, [{ from, to: Math.min(endOfLine(text, to) + 1, text.length), put: '' }])
  const lineEnd = text[start - 1] === '\r' ? start - 1 : start
  return splice(text, [{ from: lineEnd, to: endOfLine(text, to), put: '' }])
}

function documentOf(text: string): ReturnType<typeof parseDocument> {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  const [error] = document.errors
  if (error === undefined) return document
  const { line, col } = lineCounter.linePos(error.pos[0])
  throw new ConfigSyntaxError(`it is not YAML: ${error.message}`, { line, column: col })
}

function rootOf(text: string): YAMLMap | undefined {
  const { contents } = documentOf(text)
  if (contents === null || (isScalar(contents) && contents.value === null)) return undefined
  if (isMap(contents)) return contents
  throw new ConfigSyntaxError('expected a map', placeOf(text, contents.range?.[0] ?? 0))
}

function pairOf(text: string, map: YAMLMap, name: string): Pair | undefined {
  const found = map.items.filter(({ key }) => isScalar(key) && key.value === name)
  const [first, second] = found
  if (second === undefined) return first
  throw new ConfigSyntaxError(`"${name}" is there twice`, placeOf(text, startOf(second)))
}

/** Adds a last pair to a map that has some, or to an empty one, which is always in flow style. */
function insert(text: string, map: YAMLMap, name: string, value: unknown): string {
  const last = map.items.at(-1)
  if (last === undefined) {
    const at = (map.range?.[0] ?? 0) + 1
    return splice(text, [{ from: at, to: at, put: `${JSON.stringify(name)}: ${JSON.stringify(value)}` }])
  }
  const end = endOf(text, last)
  if (map.flow === true)
    return splice(text, [{ from: end, to: end, put: `, ${JSON.stringify(name)}: ${JSON.stringify(value)}` }])
  const indent = ' '.repeat(columnOf(text, startOf(last)))
  const at = endOfLine(text, end)
  return splice(text, [
    { from: at, to: at, put: `${lineEndOf(text)}${render({ [name]: value }, indent, text)}` },
  ])
}

/** Adds a value to a name without one. */
function fill(text: string, map: YAMLMap, pair: Pair, value: unknown): string {
  if (map.flow === true) throw new UneditableError(`"${nameOf(pair)}" has no value; give it {}`)
  const indent = ' '.repeat(columnOf(text, startOf(pair)) + 2)
  const written = isScalar(pair.value) && pair.value.source !== '' ? pair.value.range : undefined
  if (written !== undefined && written !== null)
    return splice(text, [{ from: written[0], to: written[1], put: JSON.stringify(value) }])
  const at = endOfLine(text, keyEnd(pair))
  return splice(text, [{ from: at, to: at, put: `${lineEndOf(text)}${render(value, indent, text)}` }])
}

function render(value: unknown, indent: string, text: string): string {
  const lines = stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd().split('\n')
  return lines.map((line) => indent + line).join(lineEndOf(text))
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value)
}

function nameOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : '?'
}

function startOf(pair: Pair): number {
  return rangeOf(pair.key)?.[0] ?? 0
}

function keyEnd(pair: Pair): number {
  return rangeOf(pair.key)?.[1] ?? 0
}

/** The end of what is written of a pair, without the blanks after it. */
function endOf(text: string, pair: Pair): number {
  const end = rangeOf(pair.value)?.[1] ?? keyEnd(pair) + 1
  return Math.max(text.slice(0, end).trimEnd().length, keyEnd(pair))
}

function rangeOf(node: unknown): readonly number[] | undefined {
  const range: unknown = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined
  return Array.isArray(range) && range.every((item) => typeof item === 'number') ? range : undefined
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1)
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  if (end === -1) return text.length
  return text[end - 1] === '\r' ? end - 1 : end
}
