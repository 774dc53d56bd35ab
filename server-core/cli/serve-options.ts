import path from 'node:path'
import { parseArgs } from 'node:util'
import type { ResourceServerOptions } from '../authorization/options.ts'
import { SUPPORTED, type Revision } from '../protocol/revisions.ts'
import { UsageError } from './exit-code.ts'
import { readHostName } from './host-names.ts'

/** The ways in which clients may reach the server; all but `stdio` share one port. */
export const TRANSPORTS = ['stdio', 'http', 'sse', 'ws'] as const
export type TransportName = (typeof TRANSPORTS)[number]

/** What of our own doings is told on standard error: everything that is at least this grave. */
export const LOG_LEVELS = ['debug', 'info', 'warning', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** What was asked for in one place, by flags or by a file; what is left out was not said there. */
export type ServeOptions = {
  readonly transports?: readonly TransportName[]
  readonly host?: string
  readonly port?: number
  readonly token?: string
  readonly allowedHosts?: readonly string[]
  readonly allowedOrigins?: readonly string[]
  readonly logLevel?: LogLevel
  readonly revisions?: readonly Revision[]
  /** The file that what clients say and hear is recorded in. */
  readonly record?: string
}

/** What a file can say beside that. */
export type ServeFileOptions = ServeOptions & {
  /** Whose access tokens are taken (specification: Authorization). */
  readonly authorization?: ResourceServerOptions
  /** Transports that are not wanted, where none is said to be. */
  readonly excluded?: readonly TransportName[]
}

/** The flags of `patchbay serve`. */
export type ServeFlags = ServeOptions & {
  /** The folder whose `patchbay.json` holds further options; the present one if not given. */
  readonly workspace?: string
  /** The workspace to serve; the built-in notes if not given. */
  readonly folder?: string
  /** The workspace may run, for this once. */
  readonly trust?: boolean
  /** The data folder, if it is not the usual one. */
  readonly profile?: string
  /** A file that says which faults are made on purpose. */
  readonly faults?: string
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
  token: { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  'allow-origin': { type: 'string', multiple: true },
  'log-level': { type: 'string' },
  revision: { type: 'string', multiple: true },
  workspace: { type: 'string' },
  faults: { type: 'string' },
  record: { type: 'string' },
} as const

/** Flags that only a folder needs. */
const WORKSPACE_FLAGS = { trust: { type: 'boolean' }, profile: { type: 'string' } } as const

/** Values of `SERVE_FLAGS`, as `parseArgs` gives them. */
type ServeFlagValues = ReturnType<typeof parseArgs<{ options: typeof SERVE_FLAGS }>>['values']

/** Reads the words after `serve`. Throws a `UsageError`, or the parser's `TypeError`, that says what was expected. */
export function readServeFlags(words: readonly string[]): ServeFlags | 'help' {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: { ...SERVE_FLAGS, ...WORKSPACE_FLAGS },
    allowPositionals: true,
  })
  if (values.help === true) return 'help'
  const [folder, stranger] = positionals
  if (stranger !== undefined) throw new UsageError(`serve takes one folder, got "${stranger}" too`)
  if (folder === undefined && values.trust === true)
    throw new UsageError('--trust is about a folder: patchbay serve DIR --trust')
  if (folder !== undefined && values.workspace !== undefined)
    throw new UsageError('name the folder once: patchbay serve DIR, without --workspace')
  return {
    ...serveFlagsOf(values),
    ...(folder !== undefined && { folder }),
    ...(values.trust === true && { trust: true }),
    ...(values.profile !== undefined && { profile: values.profile }),
  }
}

/** What the flags say. Throws a `UsageError`. */
export function serveFlagsOf(values: ServeFlagValues): ServeFlags {
  const { host, token, workspace, faults, record } = values
  const transports = TRANSPORTS.filter((name) => values.all === true || values[name] === true)
  return {
    ...(transports.length > 0 && { transports }),
    ...(host !== undefined && { host: readHostName(host, '--host') }),
    ...(values.port !== undefined && { port: readPort(values.port) }),
    ...(token !== undefined && { token: readToken(token, '--token') }),
    ...(values['allow-host'] !== undefined && {
      allowedHosts: values['allow-host'].map((name) => readHostName(name, '--allow-host')),
    }),
    ...(values['allow-origin'] !== undefined && { allowedOrigins: values['allow-origin'].map(readOrigin) }),
    ...(values['log-level'] !== undefined && { logLevel: readLogLevel(values['log-level']) }),
    ...(values.revision !== undefined && { revisions: readRevisions(values.revision) }),
    ...(workspace !== undefined && { workspace }),
    ...(faults !== undefined && { faults }),
    ...(record !== undefined && { record: readRecord(record) }),
  }
}

/** A token that an `Authorization` header can carry. `where` says in an error what it was read from. */
export function readToken(token: string, where: string): string {
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UsageError(`${where} expects a token of visible ASCII characters without spaces`)
  return token
}

/** Whether a text is an origin as browsers send it: scheme, host and port. */
export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
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

function readLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text)
  if (level === undefined)
    throw new UsageError(`--log-level expects one of ${LOG_LEVELS.join(', ')}, got "${text}"`)
  return level
}

function readRevisions(texts: readonly string[]): readonly Revision[] {
  const wanted = texts.flatMap((text) => text.split(',')).map((text) => text.trim())
  const stranger = wanted.find((text) => !SUPPORTED.some((revision) => revision === text))
  if (stranger !== undefined)
    throw new UsageError(`--revision expects one of ${SUPPORTED.join(', ')}, got "${stranger}"`)
  return SUPPORTED.filter((revision) => wanted.includes(revision))
}
