import { CLIENTS, type ClientId } from '../../install/clients.ts'
import type { StdioTapOptions } from '../../tap/stdio/stdio-tap.ts'
import type { RecordingChoice } from '../../tap/recording/open-recorder.ts'
import { openRequestsSchema, type SwapAsked } from '../../tap/control/control-messages.ts'
import { readUrl } from '../connection/target.ts'
import { parseFlags } from '../flags/parse-flags.ts'
import { suggest } from '../flags/suggest.ts'
import type { FileFlags } from '../mcp/mcp-flags.ts'
import { UsageError } from '../output/exit-code.ts'
import { readStdioWords } from './stdio-words.ts'

type OfClients = FileFlags & { readonly type: 'tap'; readonly json: boolean; readonly profile?: string }

/** `patchbay tap …` */
export type TapCommand =
  | { readonly type: 'tap'; readonly action: 'stdio'; readonly options: StdioTapOptions }
  | {
      readonly type: 'tap'
      readonly action: 'http'
      readonly url: URL
      readonly port: number
      readonly rewritesMetadata: boolean
      /** The file with the rules. */
      readonly rules?: string
      readonly recording: RecordingChoice
    }
  | (OfClients & { readonly action: 'wrap'; readonly client: ClientId; readonly server: string })
  | (OfClients & {
      readonly action: 'unwrap'
      readonly client: ClientId
      readonly server: string
      /** Forgets what the entry was, and leaves it. */
      readonly forget: boolean
    })
  | {
      readonly type: 'tap'
      readonly action: 'swap'
      /** Its name, or the process id of the tap. */
      readonly tap: string
      readonly swap: SwapAsked
      readonly json: boolean
      readonly profile?: string
    }
  | (OfClients & { readonly action: 'status'; readonly clients: readonly ClientId[] })

const RECORDING_FLAGS = {
  help: { type: 'boolean', short: 'h' },
  record: { type: 'string' },
  'no-record': { type: 'boolean' },
  name: { type: 'string' },
  client: { type: 'string' },
  profile: { type: 'string' },
  without: { type: 'string' },
  rules: { type: 'string' },
} as const

const HTTP_FLAGS = {
  help: { type: 'boolean', short: 'h' },
  url: { type: 'string' },
  port: { type: 'string' },
  'rewrite-metadata': { type: 'boolean' },
  rules: { type: 'string' },
  record: { type: 'string' },
  'no-record': { type: 'boolean' },
  name: { type: 'string' },
  client: { type: 'string' },
  profile: { type: 'string' },
} as const
const LAST_PORT = 65_535

const CLIENT_FLAGS = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  project: { type: 'string' },
  file: { type: 'string' },
  profile: { type: 'string' },
} as const

const SWAP_FLAGS = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  open: { type: 'string' },
  profile: { type: 'string' },
} as const

/** Reads the words after `tap`. Throws a `UsageError` that says what was expected. */
export function readTap(words: readonly string[]): TapCommand | 'help' {
  const [action = '', ...rest] = words
  if (action === 'wrap' || action === 'unwrap') return readWrap(action, rest)
  if (action === 'status') return readStatus(rest)
  if (action === 'swap') return readSwap(rest)
  const at = words.indexOf('--')
  const ours = at === -1 ? words : words.slice(0, at)
  if (!ours.some((word) => word === '--url' || word.startsWith('--url='))) return readStdio(words)
  if (at !== -1) throw new UsageError('--url and a command after -- exclude each other: a tap has one server')
  return readHttp(words)
}

function readHttp(words: readonly string[]): TapCommand | 'help' {
  const { values, positionals } = parseFlags(words, HTTP_FLAGS)
  if (values.help === true) return 'help'
  const [stray] = positionals
  if (stray !== undefined) throw new UsageError(`tap --url does not take "${stray}"`)
  const { port = '0', record, name, client, profile } = values
  const isRecorded = values['no-record'] !== true
  if (record !== undefined && !isRecorded) throw new UsageError('--record and --no-record exclude each other')
  if (!/^\d{1,5}$/.test(port) || Number(port) > LAST_PORT)
    throw new UsageError(`--port expects a number from 0 to ${LAST_PORT}, got "${port}"`)
  const url = new URL(readUrl(values.url ?? ''))
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--url takes no user name and password: the client sends its own authorization')
  const place = !isRecorded ? 'nowhere' : record === undefined ? 'profile' : 'file'
  return {
    type: 'tap',
    action: 'http',
    url,
    port: Number(port),
    rewritesMetadata: values['rewrite-metadata'] === true,
    ...(values.rules !== undefined && { rules: values.rules }),
    recording: {
      place: place === 'file' ? { type: place, file: record ?? '' } : { type: place },
      name: name ?? url.host,
      transport: url.protocol.startsWith('ws') ? 'websocket' : 'http',
      ...(client !== undefined && { client }),
      ...(profile !== undefined && { profile }),
    },
  }
}

function readWrap(action: 'wrap' | 'unwrap', words: readonly string[]): TapCommand | 'help' {
  const { values, positionals } = parseFlags(words, {
    ...CLIENT_FLAGS,
    ...(action === 'unwrap' && { forget: { type: 'boolean' } as const }),
  })
  if (values.help === true) return 'help'
  const [client, server, stray] = positionals
  if (stray !== undefined)
    throw new UsageError(`tap ${action} takes a client and a server, and no "${stray}"`)
  const which = readClient(action, client)
  if (server === undefined || server === '')
    throw new UsageError(
      `tap ${action} expects the name of a server in the file of ${which}; "patchbay tap status ${which}" lists them`,
    )
  const shared = { type: 'tap', client: which, server, ...ofClients(values) } as const
  return action === 'wrap' ? { ...shared, action } : { ...shared, action, forget: values['forget'] === true }
}

function readStatus(words: readonly string[]): TapCommand | 'help' {
  const { values, positionals } = parseFlags(words, CLIENT_FLAGS)
  if (values.help === true) return 'help'
  const clients = positionals.map((client) => readClient('status', client))
  if (values.file !== undefined && clients.length !== 1)
    throw new UsageError('--file goes with one client, whose file it is')
  return { type: 'tap', action: 'status', clients, ...ofClients(values) }
}

function readSwap(words: readonly string[]): TapCommand | 'help' {
  const at = words.indexOf('--')
  const { values, positionals } = parseFlags(at === -1 ? words : words.slice(0, at), SWAP_FLAGS)
  if (values.help === true) return 'help'
  const [wanted, stray] = positionals
  if (wanted === undefined || wanted === '')
    throw new UsageError(
      'tap swap expects the name or the pid of a tap: patchbay tap swap notes -- node new.js',
    )
  if (stray !== undefined) throw new UsageError(`tap swap takes one tap, and no "${stray}"`)
  const open = openRequestsSchema.safeParse(values.open ?? 'wait')
  if (!open.success)
    throw new UsageError(`--open expects ${openRequestsSchema.options.join(', ')}; got "${values.open}"`)
  const [command, ...args] = at === -1 ? [] : words.slice(at + 1)
  if (at !== -1 && (command === undefined || command === ''))
    throw new UsageError('there is no command after --; without -- the same command starts again')
  return {
    type: 'tap',
    action: 'swap',
    tap: wanted,
    swap: { openRequests: open.data, ...(command !== undefined && { command: { command, args } }) },
    json: values.json === true,
    ...(values.profile !== undefined && { profile: values.profile }),
  }
}

function readStdio(words: readonly string[]): TapCommand | 'help' {
  const at = words.indexOf('--')
  const ours = at === -1 ? words : words.slice(0, at)
  const { values, positionals } = parseFlags(ours, RECORDING_FLAGS)
  if (values.help === true) return 'help'
  const [stray] = positionals
  if (stray !== undefined)
    throw new UsageError(
      `tap does not take "${stray}"; the command of a server goes after --, or name wrap, unwrap, status or swap`,
    )
  if (at === -1)
    throw new UsageError('tap expects the command of a server after --: patchbay tap -- node server.js')
  if (words[at + 1] === undefined || words[at + 1] === '')
    throw new UsageError('there is no command after --')
  if (values.record !== undefined && values['no-record'] === true)
    throw new UsageError('--record and --no-record exclude each other')
  const empty = Object.entries(values).find(([, value]) => value === '')
  if (empty !== undefined) throw new UsageError(`--${empty[0]} expects a value`)
  const options = readStdioWords([...shortForm(values), ...words.slice(at)])
  if (options === undefined) throw new UsageError('tap expects each flag once, before --')
  return { type: 'tap', action: 'stdio', options }
}

/** Flags in the form that the short reader takes, whatever form they were typed in. */
function shortForm(values: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' ? [`--${name}`, value] : value === true ? [`--${name}`] : [],
  )
}

type ClientValues = {
  readonly json?: boolean | undefined
  readonly project?: string | undefined
  readonly file?: string | undefined
  readonly profile?: string | undefined
}

function ofClients({ json = false, project, file, profile }: ClientValues): Omit<OfClients, 'type'> {
  if (project !== undefined && file !== undefined)
    throw new UsageError('--project and --file both say which file; give one')
  return {
    json,
    ...(project !== undefined && { project }),
    ...(file !== undefined && { file }),
    ...(profile !== undefined && { profile }),
  }
}

function readClient(action: string, text: string | undefined): ClientId {
  const ids = CLIENTS.map(({ id }) => id)
  const found = ids.find((id) => id === text)
  if (found !== undefined) return found
  const near = text === undefined ? [] : suggest(text, ids)
  const hint = near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`
  const got = text === undefined ? 'nothing' : `"${text}"`
  throw new UsageError(`tap ${action} expects a client: ${ids.join(', ')}; got ${got}${hint}`)
}
