import path from 'node:path'
import { parseFlags } from '../flags/parse-flags.ts'
import { suggest } from '../flags/suggest.ts'
import { UsageError } from '../output/exit-code.ts'

export const RECORDINGS_ACTIONS = [
  'list',
  'show',
  'export',
  'import',
  'test',
  'keep',
  'delete',
  'verify',
] as const
export const EXPORT_FORMATS = ['html', 'ndjson', 'har', 'curl', 'otlp'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

type Shared = { readonly json: boolean; readonly profile?: string }
/** Which rows are shown. */
export type ShownFlags = {
  readonly text?: string
  readonly method?: string
  readonly errors: boolean
  readonly limit: number
}

/** `patchbay recordings …` and `patchbay show`: recordings of the profile, by id, and files. */
export type RecordingsCommand = Shared &
  (
    | { readonly type: 'show'; readonly place: string; readonly out?: string }
    | ({ readonly type: 'recordings' } & (
        | { readonly action: 'list' }
        | ({ readonly action: 'show'; readonly place: string } & ShownFlags)
        | {
            readonly action: 'export'
            readonly place: string
            readonly format: ExportFormat
            readonly out: string
          }
        | {
            readonly action: 'test'
            readonly place: string
            /** Prints the test file unless given. */
            readonly out?: string
            readonly force: boolean
            readonly inOneTest: boolean
            readonly server?:
              { readonly command: string; readonly args: readonly string[] } | { readonly url: string }
          }
        | { readonly action: 'keep'; readonly id: string; readonly name: string; readonly into?: string }
        | { readonly action: 'import'; readonly files: readonly string[] }
        | { readonly action: 'delete'; readonly ids: readonly string[] }
        | { readonly action: 'verify'; readonly places: readonly string[]; readonly repair: boolean }
      ))
  )

const ENDINGS: Readonly<Record<string, ExportFormat>> = { sh: 'curl', json: 'otlp' }
const SHARED = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  profile: { type: 'string' },
} as const
const ROWS = 200

/** Reads the words after `show`. Throws a `UsageError` that says what was expected. */
export function readShow(words: readonly string[]): RecordingsCommand | 'help' {
  const { values, positionals } = parseFlags(words, { ...SHARED, out: { type: 'string', short: 'o' } })
  if (values.help === true) return 'help'
  const [place = ''] = placesOf('show', positionals, 1, 1)
  return { type: 'show', place, ...shared(values), ...(values.out !== undefined && { out: values.out }) }
}

/** Reads the words after `recordings`. Throws a `UsageError` that says what was expected. */
export function readRecordings(words: readonly string[]): RecordingsCommand | 'help' {
  const [first, ...rest] = words
  if (first === '--help' || first === '-h') return 'help'
  const action = RECORDINGS_ACTIONS.find((known) => known === first)
  const type = 'recordings'
  switch (action) {
    case 'list': {
      const { values, positionals } = parseFlags(rest, SHARED)
      if (values.help === true) return 'help'
      placesOf('recordings list', positionals, 0, 0)
      return { type, action, ...shared(values) }
    }
    case 'show': {
      const { values, positionals } = parseFlags(rest, {
        ...SHARED,
        search: { type: 'string' },
        method: { type: 'string' },
        errors: { type: 'boolean' },
        limit: { type: 'string' },
      })
      if (values.help === true) return 'help'
      const [place = ''] = placesOf('recordings show', positionals, 1, 1)
      const { search, method, errors = false, limit = String(ROWS) } = values
      if (!/^[1-9]\d{0,6}$/.test(limit))
        throw new UsageError(`--limit expects a number of rows from 1 on, got "${limit}"`)
      const only = { ...(search !== undefined && { text: search }), ...(method !== undefined && { method }) }
      return { type, action, place, ...only, errors, limit: Number(limit), ...shared(values) }
    }
    case 'export': {
      const { values, positionals } = parseFlags(rest, {
        ...SHARED,
        format: { type: 'string' },
        out: { type: 'string', short: 'o' },
      })
      if (values.help === true) return 'help'
      const [place = ''] = placesOf('recordings export', positionals, 1, 1)
      const { out, format: named } = values
      if (out === undefined) throw new UsageError('recordings export expects --out FILE')
      const ending = path.extname(out).slice(1)
      const format = EXPORT_FORMATS.find((known) => known === (named ?? ENDINGS[ending] ?? ending))
      if (format === undefined)
        throw new UsageError(`recordings export expects --format with one of ${EXPORT_FORMATS.join(', ')}`)
      return { type, action, place, format, out, ...shared(values) }
    }
    case 'import': {
      const { values, positionals } = parseFlags(rest, SHARED)
      if (values.help === true) return 'help'
      if (positionals.length === 0)
        throw new UsageError('recordings import expects files: NDJSON, HAR, OTLP/JSON, JSON lines or .http')
      return { type, action, files: positionals, ...shared(values) }
    }
    case 'test':
      return readTest(rest)
    case 'keep': {
      const { values, positionals } = parseFlags(rest, { ...SHARED, into: { type: 'string' } })
      if (values.help === true) return 'help'
      const [id, name, stray] = positionals
      if (id === undefined || name === undefined || stray !== undefined)
        throw new UsageError('recordings keep expects the id of a recording and a name')
      const into = values.into === undefined ? {} : { into: path.resolve(values.into) }
      return { type, action, id, name, ...into, ...shared(values) }
    }
    case 'delete': {
      const { values, positionals } = parseFlags(rest, SHARED)
      if (values.help === true) return 'help'
      const ids = placesOf('recordings delete', positionals, 1, Infinity)
      return { type, action, ids, ...shared(values) }
    }
    case 'verify': {
      const { values, positionals } = parseFlags(rest, { ...SHARED, repair: { type: 'boolean' } })
      if (values.help === true) return 'help'
      const places = placesOf('recordings verify', positionals, 1, Infinity)
      return { type, action, places, repair: values.repair === true, ...shared(values) }
    }
    case undefined: {
      const near = suggest(first ?? '', RECORDINGS_ACTIONS)
      const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''
      const got = first === undefined ? 'nothing' : `"${first}"`
      throw new UsageError(`recordings expects one of ${RECORDINGS_ACTIONS.join(', ')}, got ${got}${hint}`)
    }
  }
}

function readTest(words: readonly string[]): RecordingsCommand | 'help' {
  const split = words.indexOf('--')
  const { values, positionals } = parseFlags(split < 0 ? words : words.slice(0, split), {
    ...SHARED,
    out: { type: 'string', short: 'o' },
    force: { type: 'boolean' },
    'one-test': { type: 'boolean' },
    url: { type: 'string' },
  })
  if (values.help === true) return 'help'
  const [place = ''] = placesOf('recordings test', positionals, 1, 1)
  const { out, url, force = false } = values
  if (out !== undefined && !/\.(spec|test)\.[cm]?[jt]s$/.test(out))
    throw new UsageError(
      `--out expects a name that Playwright runs, such as tests/calls.spec.ts, got "${out}"`,
    )
  const [command, ...args] = split < 0 ? [] : words.slice(split + 1)
  if (split >= 0 && command === undefined) throw new UsageError('there is no command after --')
  if (url !== undefined && command !== undefined)
    throw new UsageError('recordings test expects --url or a command after --, not both')
  if (url !== undefined && !URL.canParse(url))
    throw new UsageError(`--url expects an address such as http://127.0.0.1:3000/mcp, got "${url}"`)
  const server = url !== undefined ? { url } : command !== undefined ? { command, args } : undefined
  return {
    type: 'recordings',
    action: 'test',
    place,
    force,
    inOneTest: values['one-test'] === true,
    ...(out !== undefined && { out: path.resolve(out) }),
    ...(server !== undefined && { server }),
    ...shared(values),
  }
}

function shared({
  json = false,
  profile,
}: {
  readonly json?: boolean | undefined
  readonly profile?: string | undefined
}): Shared {
  return { json, ...(profile !== undefined && { profile: path.resolve(profile) }) }
}

function placesOf(
  command: string,
  places: readonly string[],
  least: number,
  most: number,
): readonly string[] {
  const stray = places[most]
  if (stray !== undefined) throw new UsageError(`${command} does not take "${stray}"`)
  if (places.length < least) throw new UsageError(`${command} expects the id of a recording or a file`)
  return places
}
