import { parse, stringify, TomlError } from 'smol-toml'
import { isJsonObject } from '../../protocol/json.ts'
import {
  ConfigSyntaxError,
  lineEndOf,
  splice,
  UneditableError,
  type ConfigEntry,
  type ConfigFormat,
} from './config-format.ts'
import { tomlTables, type TomlTable } from './toml-tables.ts'

/** TOML: an entry is a table of its own, with the tables below it. */
export const tomlFormat: ConfigFormat = { read, set, remove }

function read(text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' })
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [detail = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n')
    throw new ConfigSyntaxError(`it is not TOML: ${detail}`, error)
  }
}

function set(text: string, path: readonly string[], name: string, entry: ConfigEntry): string {
  const lineEnd = lineEndOf(text)
  const tables = tomlTables(text)
  const own = tables.filter((table) => startsWith(table.path, [...path, name]))
  const put = render([...path, name], entry, lineEnd)
  const [first] = own
  if (first !== undefined) {
    const rest = own.slice(1).map((table) => ({ ...withBlankBefore(text, table), put: '' }))
    return splice(text, [{ from: first.from, to: first.to, put }, ...rest])
  }
  if (isThere(read(text), [...path, name])) throw inline(path, name)
  const siblings = tables.filter((table) => startsWith(table.path, path))
  const after = siblings.at(-1)?.to ?? text.length
  const before = text.slice(0, after)
  const ending = before === '' || before.endsWith('\n') ? '' : lineEnd
  const gap = before.trim() === '' ? '' : lineEnd
  return splice(text, [{ from: after, to: after, put: ending + gap + put }])
}

function remove(text: string, path: readonly string[], name: string): string {
  const own = tomlTables(text).filter((table) => startsWith(table.path, [...path, name]))
  if (own.length === 0) throw inline(path, name)
  return splice(
    text,
    own.map((table) => ({ ...withBlankBefore(text, table), put: '' })),
  )
}

/** An entry that shares its line with another, where removing it would change that line. */
function inline(path: readonly string[], name: string): UneditableError {
  const table = [...path, name].join('.')
  return new UneditableError(
    `"${name}" is not written as a table of its own, [${table}]; write it so, or remove it`,
  )
}

function render(path: readonly string[], entry: ConfigEntry, lineEnd: string): string {
  const nested = path.reduceRight<Record<string, unknown>>((inner, name) => ({ [name]: inner }), { ...entry })
  return `${stringify(nested).trim()}\n`.replaceAll('\n', lineEnd)
}

/** With the blank line that parts it from what is before. */
function withBlankBefore(text: string, { from, to }: TomlTable): { from: number; to: number } {
  const blank = /(?:^|\n)([ \t]*\r?\n)$/.exec(text.slice(0, from))?.[1] ?? ''
  return { from: from - blank.length, to }
}

function isThere(value: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path
  if (name === undefined) return value !== undefined
  return isJsonObject(value) && Object.hasOwn(value, name) && isThere(value[name], rest)
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return path.length >= start.length && start.every((name, index) => path[index] === name)
}
