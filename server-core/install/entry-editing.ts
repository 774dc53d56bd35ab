import { isJsonObject } from '../protocol/json.ts'
import type { ClientRow } from './clients.ts'
import {
  ConfigSyntaxError,
  UneditableError,
  type ConfigEntry,
  type ConfigFormat,
} from './formats/config-format.ts'
import { InstallError } from './install-error.ts'

/** How the entries of one client's file are read and changed. */
export type Editing = {
  readonly entriesOf: (text: string, path: readonly string[]) => Readonly<Record<string, unknown>>
  readonly change: (
    text: string,
    place: { readonly path: readonly string[]; readonly name: string },
    entry: ConfigEntry | undefined,
  ) => string
  /** Whether two texts differ in one entry alone, which is `entry` in the second. */
  readonly isChangeOf: (
    before: string,
    after: string,
    place: { readonly path: readonly string[]; readonly name: string },
    entry: ConfigEntry,
  ) => boolean
}

/** The format of a file, by its ending. Parsers are loaded with the first file of theirs. */
export async function editing(client: ClientRow, file: string): Promise<Editing> {
  const [format, { changeEntry, entryAt, isChangeOf }] = await Promise.all([
    formatOf(client, file),
    import('./formats/change-entry.ts'),
  ])
  return {
    entriesOf: (text, path) => {
      const [name = '', ...rest] = path.toReversed()
      const entries = entryAt(format.read(text.replace(/^\uFEFF/, '')), { path: rest.toReversed(), name })
      return isJsonObject(entries) ? entries : {}
    },
    change: (text, place, entry) => changeEntry(format, text, place, entry),
    isChangeOf: (before, after, place, entry) => isChangeOf(format, before, after, place, entry),
  }
}

async function formatOf(client: ClientRow, file: string): Promise<ConfigFormat> {
  if (file.endsWith('.toml')) return (await import('./formats/toml-format.ts')).tomlFormat
  if (/\.ya?ml$/.test(file)) return (await import('./formats/yaml-format.ts')).yamlFormat
  const { jsonFormat, json5Format } = await import('./formats/json-format.ts')
  return client.json5 === true || file.endsWith('.json5') ? json5Format : jsonFormat
}

/** Faults of a text become errors that name its file and place. */
export async function inFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const message = wordsOf(error, file)
    if (message === undefined || error instanceof InstallError) throw error
    const code = error instanceof UneditableError ? 'unsupported' : 'broken'
    throw new InstallError(code, message, { cause: error })
  }
}

/** What is wrong with a file, in words; undefined for an error that says nothing about it. */
export function wordsOf(error: unknown, file: string): string | undefined {
  if (error instanceof InstallError) return error.message
  if (error instanceof UneditableError) return `${file}: ${error.message}. It was left as it is.`
  if (!(error instanceof ConfigSyntaxError)) return undefined
  return `${file}:${error.line}:${error.column}: ${error.message}. It was left unchanged; fix it and try again.`
}
