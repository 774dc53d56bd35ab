import path from 'node:path'
import type { parseArgs } from 'node:util'
import type { ResourceServerOptions } from '../../authorization/options.ts'
import { SUPPORTED, type Revision } from '../../protocol/revisions.ts'
import type { NamedToken } from '../../listener/bearer-token.ts'
import {
  isOrigin,
  SERVE_LOG_LEVELS,
  MOST_SESSION_TTL,
  SERVE_TRANSPORTS,
  type ServeLogLevel,
  type ServeTransport,
} from '../../workspace-file/serve-values.ts'
import { UsageError } from '../output/exit-code.ts'
import { parseFlags } from '../flags/parse-flags.ts'
import { readHostName } from './host-names.ts'
import { readReplayFlags, REPLAY_FLAGS, type ReplayFlags } from './replay/replay-flags.ts'
import { readTokenFile, tokensOfFlags } from './serve-tokens.ts'

/** What was asked for in one place, by flags or by a file; what is left out was not said there. */
export type ServeOptions = {
  readonly transports?: readonly ServeTransport[]
  readonly host?: string
  readonly port?: number
  /** Bearer tokens of clients; two are two callers. */
  readonly tokens?: readonly NamedToken[]
  /** Seconds after which a session ends that nobody uses. */
  readonly sessionTtl?: number
  /** Nothing is served to clients before it is switched on. */
  readonly off?: boolean
  readonly allowedHosts?: readonly string[]
  readonly allowedOrigins?: readonly string[]
  readonly logLevel?: ServeLogLevel
  readonly revisions?: readonly Revision[]
  /** The file in which the messages of clients are recorded. */
  readonly record?: string
}

/** What a file can say beside that. */
export type ServeFileOptions = ServeOptions & {
  /** Whose access tokens are taken (specification: Authorization). */
  readonly authorization?: ResourceServerOptions
  /** Transports that are not wanted, where none is said to be. */
  readonly excluded?: readonly ServeTransport[]
  /** The file is of a folder that nobody trusts or named: it takes transports away and never adds one. */
  readonly restrictsOnly?: true
}

/** The flags of `patchbay serve`. */
export type ServeFlags = ServeOptions & {
  /** The folder whose `patchbay.json` holds further options; the present one if not given. */
  readonly workspace?: string
  /** The workspace to serve; the built-in notes if not given. */
  readonly folder?: string
  /** For this run: the scripts of the workspace may run, and the options of its `patchbay.json` count. */
  readonly trust?: boolean
  /** The data folder, if it is not the usual one. */
  readonly profile?: string
  /** A file that says which faults are made on purpose. */
  readonly faults?: string
  /** What is odd about them. */
  readonly warnings?: readonly string[]
  /** Serves what a recorded server answered. */
  readonly replay?: ReplayFlags
}

/** The flags as `parseArgs` takes them. */
export const SERVE_FLAGS = {
  help: { type: 'boolean', short: 'h' },
  stdio: { type: 'boolean' },
  http: { type: 'boolean' },
  sse: { type: 'boolean' },
  ws: { type: 'boolean' },
  all: { type: 'boolean' },
  host: { type: 'string' },
  port: { type: 'string' },
  token: { type: 'string', multiple: true },
  'token-file': { type: 'string', multiple: true },
  'session-ttl': { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  'allow-origin': { type: 'string', multiple: true },
  'log-level': { type: 'string' },
  revision: { type: 'string', multiple: true },
  workspace: { type: 'string' },
  faults: { type: 'string' },
  record: { type: 'string' },
  trust: { type: 'boolean' },
  profile: { type: 'string' },
} as const

/** Values of `SERVE_FLAGS`, as `parseArgs` gives them. */
type ServeFlagValues = ReturnType<typeof parseArgs<{ options: typeof SERVE_FLAGS }>>['values']

/** Reads the words after `serve`. Throws a `UsageError` that says what was expected. */
export function readServeFlags(words: readonly string[]): ServeFlags | 'help' {
  const { values, positionals } = parseFlags(words, {
    ...SERVE_FLAGS,
    ...REPLAY_FLAGS,
    off: { type: 'boolean' },
  })
  if (values.help === true) return 'help'
  const [folder, stranger] = positionals
  if (stranger !== undefined) throw new UsageError(`serve takes one folder, got "${stranger}" too`)
  if (folder === undefined && values.off === true)
    throw new UsageError('--off is about a folder: patchbay serve DIR --off')
  if (folder !== undefined && values.workspace !== undefined)
    throw new UsageError('name the folder once: patchbay serve DIR, without --workspace')
  const replay = readReplayFlags(values)
  if (folder !== undefined && replay !== undefined)
    throw new UsageError(`serve takes a folder or --replay, got "${folder}" too`)
  return {
    ...serveFlagsOf(values),
    ...(folder !== undefined && { folder }),
    ...(replay !== undefined && { replay }),
    ...(values.off === true && { off: true }),
  }
}

/** What the flags say. Throws a `UsageError`. */
export function serveFlagsOf(values: ServeFlagValues): ServeFlags {
  const { host, workspace, faults, record } = values
  const { tokens, warnings } = tokensOf(values)
  const transports = SERVE_TRANSPORTS.filter((name) => values.all === true || values[name] === true)
  return {
    ...(transports.length > 0 && { transports }),
    ...(host !== undefined && { host: readHostName(host, '--host') }),
    ...(values.port !== undefined && { port: readPort(values.port) }),
    ...(tokens.length > 0 && { tokens }),
    ...(warnings.length > 0 && { warnings }),
    ...(values['session-ttl'] !== undefined && { sessionTtl: readSessionTtl(values['session-ttl']) }),
    ...(values['allow-host'] !== undefined && {
      allowedHosts: values['allow-host'].map((name) => readHostName(name, '--allow-host')),
    }),
    ...(values['allow-origin'] !== undefined && { allowedOrigins: values['allow-origin'].map(readOrigin) }),
    ...(values['log-level'] !== undefined && { logLevel: readLogLevel(values['log-level']) }),
    ...(values.revision !== undefined && { revisions: readRevisions(values.revision) }),
    ...(workspace !== undefined && { workspace }),
    ...(faults !== undefined && { faults }),
    ...(record !== undefined && { record: readRecord(record) }),
    ...(values.trust === true && { trust: true }),
    ...(values.profile !== undefined && { profile: values.profile }),
  }
}

function readSessionTtl(text: string): number {
  const seconds = Number(text)
  if (!/^\d{1,6}$/.test(text) || seconds < 1 || seconds > MOST_SESSION_TTL)
    throw new UsageError(`--session-ttl expects seconds from 1 to ${MOST_SESSION_TTL}, got "${text}"`)
  return seconds
}

function tokensOf({ token = [], 'token-file': files = [] }: ServeFlagValues): {
  readonly tokens: readonly NamedToken[]
  readonly warnings: readonly string[]
} {
  const read = files.map(readTokenFile)
  return {
    tokens: [...tokensOfFlags(token), ...read.flatMap(({ tokens }) => tokens)],
    warnings: read.flatMap(({ warnings }) => warnings),
  }
}

function readRecord(file: string): string {
  if (file !== '') return path.resolve(file)
  throw new UsageError('--record expects the name of a file')
}

function readOrigin(text: string): string {
  if (isOrigin(text)) return text
  throw new UsageError(`--allow-origin expects an origin such as https://example.com, got "${text}"`)
}

function readPort(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new UsageError(`--port expects a number from 0 to 65535, got "${text}"`)
  return port
}

function readLogLevel(text: string): ServeLogLevel {
  const level = SERVE_LOG_LEVELS.find((known) => known === text)
  if (level === undefined)
    throw new UsageError(`--log-level expects one of ${SERVE_LOG_LEVELS.join(', ')}, got "${text}"`)
  return level
}

function readRevisions(texts: readonly string[]): readonly Revision[] {
  const wanted = texts.flatMap((text) => text.split(',')).map((text) => text.trim())
  const stranger = wanted.find((text) => !SUPPORTED.some((revision) => revision === text))
  if (stranger !== undefined)
    throw new UsageError(`--revision expects one of ${SUPPORTED.join(', ')}, got "${stranger}"`)
  return SUPPORTED.filter((revision) => wanted.includes(revision))
}
