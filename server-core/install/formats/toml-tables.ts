import { parse } from 'smol-toml'
import { isJsonObject } from '../../protocol/json.ts'

/** A table with a header of its own: its name, and its text from the header to the end of its last line. */
export type TomlTable = { readonly path: readonly string[]; readonly from: number; readonly to: number }

/**
 * Where the tables of a well-formed TOML text are. Comments and blank lines at the end of a table belong to nobody, since
 * they often speak of the next.
 */
export function tomlTables(text: string): readonly TomlTable[] {
  const tables: { path: readonly string[]; from: number; to: number }[] = []
  let at = 0
  while (at < text.length) {
    const start = at
    const line = statementAt(text, start)
    at = line.end
    const content = text.slice(start, line.end).trim()
    if (content === '' || content.startsWith('#')) continue
    if (content.startsWith('[')) tables.push({ path: headerPath(content), from: start, to: line.end })
    else {
      const table = tables.at(-1)
      if (table !== undefined) table.to = line.end
    }
  }
  return tables
}

const STRINGS = ['"""', "'''", '"', "'"] as const

/** The end of the statement that begins at `from`: a line, or several where a value spans them. */
function statementAt(text: string, from: number): { end: number } {
  let depth = 0
  let at = from
  const isHeader = /^[ \t]*\[/.test(text.slice(from, from + 200))
  while (at < text.length) {
    const character = text[at] ?? ''
    const quote = STRINGS.find((mark) => text.startsWith(mark, at))
    if (quote !== undefined) {
      at = endOfString(text, at + quote.length, quote)
      continue
    }
    if (character === '#') {
      const end = text.indexOf('\n', at)
      at = end === -1 ? text.length : end
      continue
    }
    if (!isHeader && (character === '[' || character === '{')) depth += 1
    if (!isHeader && (character === ']' || character === '}')) depth -= 1
    at += 1
    if (character === '\n' && depth <= 0) return { end: at }
  }
  return { end: text.length }
}

function endOfString(text: string, from: number, quote: (typeof STRINGS)[number]): number {
  let at = from
  while (at < text.length) {
    if (text[at] === '\\' && quote.startsWith('"')) at += 2
    else if (text.startsWith(quote, at)) {
      at += quote.length
      // A multi-line string may end in quotes of its own.
      while (quote.length === 3 && text[at] === quote[0]) at += 1
      return at
    } else at += 1
  }
  return text.length
}

/** The names of a header, read by the parser, so that quoted and dotted ones are what they are. */
function headerPath(header: string): readonly string[] {
  const path: string[] = []
  let value: unknown = parse(header)
  for (;;) {
    if (Array.isArray(value)) value = value[0]
    if (!isJsonObject(value)) return path
    const [entry] = Object.entries(value)
    if (entry === undefined) return path
    path.push(entry[0])
    value = entry[1]
  }
}
