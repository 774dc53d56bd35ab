import type { ResourceServerOptions } from '../../authorization/options.ts'
import { revisionsOf, type Revision } from '../../protocol/revisions.ts'
import { UsageError } from '../output/exit-code.ts'
import { LOOPBACK } from './host-names.ts'
import type { NamedToken } from '../../listener/bearer-token.ts'
import {
  SERVE_TRANSPORTS,
  type ServeLogLevel,
  type ServeTransport,
} from '../../workspace-file/serve-values.ts'
import { requireDistinctTokens, tokensOfVariables } from './serve-tokens.ts'
import { type ServeFileOptions, type ServeOptions } from './serve-options.ts'

/** What will be served, once everything that was said is put together. */
export type ServePlan = {
  readonly stdio: boolean
  /** Undefined if nothing listens. */
  readonly network: NetworkPlan | undefined
  readonly logLevel: ServeLogLevel
  /** Undefined: every one that is known. */
  readonly revisions: readonly Revision[] | undefined
  /** Absolute; undefined if nothing is recorded. */
  readonly record: string | undefined
}

export type NetworkPlan = {
  readonly routes: { readonly mcp: boolean; readonly sse: boolean; readonly ws: boolean }
  readonly host: string
  readonly port: number
  /** None: no token is required. */
  readonly tokens: readonly NamedToken[]
  /** Whose tokens are accepted, in place of `tokens`. */
  readonly authorization: ResourceServerOptions | undefined
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
  /** Milliseconds after which an idle session ends; undefined: as usual. */
  readonly sessionIdleMs: number | undefined
}

export type Said = {
  readonly flags: ServeOptions
  /** The `serve` options of `patchbay.json`; empty if there are none. */
  readonly file: ServeFileOptions
  /** The variable PATCHBAY_TOKEN. */
  readonly tokenVariable: string | undefined
  /** The variable PATCHBAY_TOKENS. */
  readonly tokensVariable?: string | undefined
  /** Somebody writes to our standard input. */
  readonly isPiped: boolean
}

/** What is about listening alone, and the flag that says it. */
const NETWORK_FLAGS = {
  host: '--host',
  port: '--port',
  tokens: '--token',
  sessionTtl: '--session-ttl',
  allowedHosts: '--allow-host',
  allowedOrigins: '--allow-origin',
} as const

/** Puts flags, file and environment together: flags win over the environment, and both over the file. */
export function planServe(said: Said): ServePlan {
  const { flags, file } = said
  const transports = transportsOf(said)
  const revisions = flags.revisions ?? file.revisions
  const stdio = transports.includes('stdio')
  const listens = transports.some((name) => name !== 'stdio')
  if (!listens) refuseNetworkFlags(flags)
  if (transports.includes('sse')) refuseSseWithoutHandshake(revisions)
  return {
    stdio,
    network: listens ? networkOf(said, transports) : undefined,
    logLevel: flags.logLevel ?? file.logLevel ?? 'info',
    revisions,
    record: flags.record ?? file.record,
  }
}

/** The host that is listened on; undefined if nothing listens. Throws a `UsageError` if nothing is to be served. */
export function hostToListenOn(said: Said): string | undefined {
  return transportsOf(said).some((name) => name !== 'stdio') ? hostOf(said) : undefined
}

function hostOf({ flags, file }: Said): string {
  return flags.host ?? file.host ?? '127.0.0.1'
}

/**
 * Without transports: standard input if it is a pipe, else HTTP, also if an address is named. A transport that a
 * file excludes is not served by itself.
 */
function transportsOf({ flags, file, isPiped }: Said): readonly ServeTransport[] {
  const said = flags.transports ?? file.transports
  if (said !== undefined) return SERVE_TRANSPORTS.filter((name) => said.includes(name))
  const namesAddress = [flags, file].some(({ host, port }) => host !== undefined || port !== undefined)
  const excluded = file.excluded ?? []
  const usual: readonly ServeTransport[] = isPiped && !namesAddress ? ['stdio', 'http'] : ['http']
  // Over stdio nobody else can call; a file that only restricts must not open a port in its place.
  const possible = file.restrictsOnly === true ? usual.slice(0, 1) : usual
  const [first] = possible.filter((name) => !excluded.includes(name))
  if (first !== undefined) return [first]
  const left = SERVE_TRANSPORTS.filter((name) => !excluded.includes(name))
  const remedy =
    left.length === 0 ? 'set one of them to true' : `ask for ${left.map((name) => `--${name}`).join(' or ')}`
  throw new UsageError(
    `nothing is left to serve: patchbay.json says false for ${excluded.join(', ')}; ${remedy}`,
  )
}

function networkOf(said: Said, transports: readonly ServeTransport[]): NetworkPlan {
  const { flags, file } = said
  const host = hostOf(said)
  const tokens = requireDistinctTokens(
    flags.tokens ?? tokensOfVariables(said.tokenVariable, said.tokensVariable) ?? file.tokens ?? [],
  )
  const { authorization } = file
  const sessionTtl = flags.sessionTtl ?? file.sessionTtl
  if (tokens.length > 0 && authorization !== undefined) {
    throw new UsageError(
      'callers are known by tokens of your own or by those of an authorization server, not both: leave out the tokens (--token, --token-file, PATCHBAY_TOKEN, PATCHBAY_TOKENS, serve.token, serve.tokens) or serve.authorization',
    )
  }
  // A file is copied and shared, so whoever wrote it or reads it knows its tokens.
  const isTokenShared =
    flags.tokens === undefined && said.tokenVariable === undefined && said.tokensVariable === undefined
  if (isTokenShared && authorization === undefined && !LOOPBACK.has(host)) {
    const shared = tokens.length === 0 ? '' : '; the tokens of patchbay.json do not count here'
    throw new UsageError(
      `the host ${host} can be reached from other machines, so it needs a token: set PATCHBAY_TOKEN, and clients send it as "Authorization: Bearer …"${shared}`,
    )
  }
  return {
    routes: {
      mcp: transports.includes('http'),
      sse: transports.includes('sse'),
      ws: transports.includes('ws'),
    },
    host,
    port: flags.port ?? file.port ?? 0,
    tokens,
    authorization,
    allowedHosts: flags.allowedHosts ?? file.allowedHosts ?? [],
    allowedOrigins: flags.allowedOrigins ?? file.allowedOrigins ?? [],
    sessionIdleMs: sessionTtl === undefined ? undefined : sessionTtl * 1_000,
  }
}

function refuseNetworkFlags(flags: ServeOptions): void {
  for (const [name, flag] of Object.entries(NETWORK_FLAGS) as [keyof typeof NETWORK_FLAGS, string][]) {
    if (flags[name] !== undefined)
      throw new UsageError(`${flag} goes with --http, --sse, --ws or --all; over stdio nothing listens`)
  }
}

/** HTTP+SSE opens with a handshake, which the newer revisions do not have. */
function refuseSseWithoutHandshake(revisions: readonly Revision[] | undefined): void {
  const withHandshake = revisionsOf('legacy')
  if (revisions === undefined || revisions.some((revision) => withHandshake.includes(revision))) return
  throw new UsageError(
    `--sse needs a revision that opens with a handshake (${withHandshake.join(', ')}); ${revisions.join(', ')} has none`,
  )
}
