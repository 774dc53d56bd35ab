import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '../../protocol/json.ts'
import { UneditableError, type ConfigEntry, type ConfigFormat } from './config-format.ts'

const BYTE_ORDER_MARK = '\uFEFF'

/** Which entry: the names of the maps around it, and its own. */
export type EntryPlace = { readonly path: readonly string[]; readonly name: string }

/**
 * The text with one entry set (or taken out, if `entry` is undefined). Text and result are read and compared: if
 * anything but the entry would differ, nothing is changed.
 *
 * @throws ConfigSyntaxError if the text is not of the format; UneditableError if one entry cannot be changed by itself
 */
export function changeEntry(
  format: ConfigFormat,
  text: string,
  { path, name }: EntryPlace,
  entry: ConfigEntry | undefined,
): string {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  const body = text.slice(mark.length)
  const before = format.read(body)
  const present = entryAt(before, { path, name })
  if (isDeepStrictEqual(comparable(present), comparable(entry))) return text
  const after = entry === undefined ? format.remove(body, path, name) : format.set(body, path, name, entry)
  const wanted = expected(before, path, name, entry)
  // In TOML, a map without entries is not written at all.
  const isGood =
    isAsExpected(format, after, wanted) || isAsExpected(format, after, withoutEmpty(wanted, path))
  if (!isGood)
    throw new UneditableError(
      `the way it is written leaves no room to change "${name}" alone; change it by hand`,
    )
  return mark + after
}

/** Whether two texts differ in one entry alone, which is `entry` in the second. */
export function isChangeOf(
  format: ConfigFormat,
  before: string,
  after: string,
  { path, name }: EntryPlace,
  entry: ConfigEntry,
): boolean {
  const body = (text: string): string =>
    text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text
  return isAsExpected(format, body(after), expected(format.read(body(before)), path, name, entry))
}

/** What is at a place; undefined if nothing is. */
export function entryAt(value: unknown, { path, name }: EntryPlace): unknown {
  let inner: unknown = value
  for (const step of [...path, name]) {
    if (!isJsonObject(inner) || !Object.hasOwn(inner, step)) return undefined
    inner = inner[step]
  }
  return inner
}

function isAsExpected(format: ConfigFormat, text: string, wanted: unknown): boolean {
  try {
    return isDeepStrictEqual(comparable(format.read(text)), comparable(wanted))
  } catch {
    return false
  }
}

/** Formats make their maps differently. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (!isJsonObject(value) || value instanceof Date) return value
  return new Map(Object.entries(value).map(([name, item]) => [name, comparable(item)]))
}

function expected(value: unknown, path: readonly string[], name: string, entry: unknown): unknown {
  const map = isJsonObject(value) ? { ...value } : {}
  const [step, ...rest] = path
  const key = step ?? name
  const inner = step === undefined ? entry : expected(map[step], rest, name, entry)
  const entries = Object.entries(map).filter(([each]) => each !== key)
  return Object.fromEntries(inner === undefined ? entries : [...entries, [key, inner]])
}

/** Without the maps at the end of a path that have nothing in them. */
function withoutEmpty(value: unknown, path: readonly string[]): unknown {
  const [step, ...rest] = path
  if (step === undefined || !isJsonObject(value) || !Object.hasOwn(value, step)) return value
  const inner = withoutEmpty(value[step], rest)
  const isEmpty = isJsonObject(inner) && Object.keys(inner).length === 0
  const others = Object.entries(value).filter(([name]) => name !== step)
  return Object.fromEntries(isEmpty ? others : [...others, [step, inner]])
}
