import path from 'node:path'
import { parseFlags } from '../flags/parse-flags.ts'
import { UsageError } from '../output/exit-code.ts'

/** `patchbay diff BEFORE AFTER`. */
export type DiffCommand = {
  readonly type: 'diff'
  /** A recording's file, folder or id, or a file of JSON. */
  readonly before: string
  readonly after: string
  /** Patterns of JSON pointers that are left out. */
  readonly ignore: readonly string[]
  /** Only calls of this method. */
  readonly method?: string
  /** Counts times, identifiers and ports as differences. */
  readonly exact: boolean
  readonly json: boolean
  readonly profile?: string
}

/** Reads the words after `diff`. Throws a `UsageError` that says what was expected. */
export function readDiff(words: readonly string[]): DiffCommand | 'help' {
  const { values, positionals } = parseFlags(words, {
    help: { type: 'boolean', short: 'h' },
    json: { type: 'boolean' },
    profile: { type: 'string' },
    ignore: { type: 'string', multiple: true },
    method: { type: 'string' },
    exact: { type: 'boolean' },
  })
  if (values.help === true) return 'help'
  const [before, after, stray] = positionals
  if (before === undefined || after === undefined)
    throw new UsageError('diff expects two recordings, or two files of JSON: patchbay diff BEFORE AFTER')
  if (stray !== undefined) throw new UsageError(`diff compares two, and does not take "${stray}"`)
  if (isJsonFile(before) !== isJsonFile(after))
    throw new UsageError('diff expects two recordings or two files of JSON, got one of each')
  const { ignore = [], method, exact = false, json = false, profile } = values
  if (ignore.includes('')) throw new UsageError('--ignore expects a JSON pointer or the name of a member')
  return {
    type: 'diff',
    before,
    after,
    ignore,
    exact,
    json,
    ...(method !== undefined && { method }),
    ...(profile !== undefined && { profile: path.resolve(profile) }),
  }
}

/** Returns whether a file is one JSON value, by its name; recordings are lines of JSON. */
export function isJsonFile(file: string): boolean {
  return path.extname(file) === '.json'
}
