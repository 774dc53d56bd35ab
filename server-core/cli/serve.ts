import { fstatSync } from 'node:fs'
import { once } from 'node:events'
import path from 'node:path'
import type { ResourceServerOptions } from '../authorization/options.ts'
import { productVersion } from '../host/version.ts'
import { createNotesRegistry, NOTES_INSTRUCTIONS } from '../notes/notes-registry.ts'
import { createServer, type McpServer } from '../server/server.ts'
import type { Authorization } from '../transports/authorization-port.ts'
import type { HttpListener } from '../transports/http-listener.ts'
import type { Attachment } from '../transports/server-port.ts'
import { NO_TAP, type Tap } from '../transports/tap.ts'
import type { Command } from './command.ts'
import { ExitCode, StartError, UsageError } from './exit-code.ts'
import { requireKnownHost } from './host-names.ts'
import { tell } from './output.ts'
import { readServeFile } from './serve-file.ts'
import { loggingTap, ServeLog } from './serve-log.ts'
import { hostToListenOn, planServe, type NetworkPlan } from './serve-plan.ts'
import { requireServedNames } from './serve-scopes.ts'

type ServeCommand = Extract<Command, { type: 'serve' }>

/**
 * `patchbay serve`: the notes server until it is told to end. Where somebody writes to its standard input and it
 * reads that, it ends with them too.
 */
export async function serve({ flags }: ServeCommand, signal: AbortSignal): Promise<ExitCode> {
  const folder = path.resolve(flags.workspace ?? '.')
  const { options: file, warnings } = await readServeFile(folder, flags.workspace !== undefined)
  const isPiped = isStandardInputGiven()
  const said = { flags, file, tokenVariable: process.env['PATCHBAY_TOKEN'], isPiped }
  // What has to be refused is refused before anything runs.
  const host = hostToListenOn(said)
  if (host !== undefined) await requireKnownHost(host)
  const plan = planServe(said)
  const registry = createNotesRegistry()
  requireServedNames(plan.network?.authorization?.requiredScopes, registry)
  const log = new ServeLog(plan.logLevel)
  for (const warning of warnings) log.warning(warning)
  const server = createServer({
    registry,
    info: { name: 'notes', title: 'Patchbay notes', version: productVersion },
    instructions: NOTES_INSTRUCTIONS,
    // Whoever only calls tools needs none.
    sealKey: () => keptSealKey(log),
    ...(plan.revisions !== undefined && { revisions: plan.revisions }),
  })
  const tapOf = (name: string): Tap => (log.tells('debug') ? loggingTap(log, name) : NO_TAP)
  try {
    const listener =
      plan.network === undefined ? undefined : await listen(server, plan.network, tapOf('network'), log)
    // What listens stays; over a pipe alone the first answer counts more.
    if (listener !== undefined) void server.prepare()
    const attachment = plan.stdio ? await attachStdio(server, tapOf('stdio')) : undefined
    // Whoever holds the other end of a pipe is who started us; a terminal's end is no reason to leave the others.
    const isTheirs = attachment !== undefined && (isPiped || listener === undefined)
    await (isTheirs ? Promise.race([attachment.closed, untilAborted(signal)]) : untilAborted(signal))
    log.debug('ending')
    await Promise.all([attachment?.close(), listener?.close()])
  } finally {
    await server.close()
  }
  return ExitCode.ok
}

async function attachStdio(server: McpServer, tap: Tap): Promise<Attachment> {
  const { claimStandardOutput, stdioServerLink } = await import('../transports/stdio-server.ts')
  return server.attach(stdioServerLink({ input: process.stdin, output: claimStandardOutput(), tap }))
}

/** Listens on all routes of one port and tells their addresses. Throws a `StartError` if it cannot listen. */
async function listen(
  server: McpServer,
  network: NetworkPlan,
  tap: Tap,
  log: ServeLog,
): Promise<HttpListener> {
  const { ListenError, startHttpListener } = await import('../transports/http-listener.ts')
  const { token, authorization: authority, ...options } = network
  const readToken = token === undefined ? {} : { token: () => token }
  const authorization =
    authority === undefined ? {} : { authorization: await authorizationOf(authority, log) }
  try {
    const listener = await startHttpListener({ server, ...options, ...readToken, ...authorization, tap })
    for (const url of Object.values(listener.urls)) tell(`The notes server listens at ${url}`)
    return listener
  } catch (error) {
    if (error instanceof ListenError) throw new StartError(error.message, { cause: error })
    throw error
  }
}

/** Loads what checks access tokens. Throws a `UsageError` if these options cannot work. */
async function authorizationOf(options: ResourceServerOptions, log: ServeLog): Promise<Authorization> {
  const { createResourceServer } = await import('../authorization/resource-server.ts')
  const { AuthorizationOptionsError } = await import('../authorization/options.ts')
  try {
    return createResourceServer(options, (error) => log.error(error.message))
  } catch (error) {
    if (!(error instanceof AuthorizationOptionsError)) throw error
    throw new UsageError(`patchbay.json: serve.authorization: ${error.message}`, { cause: error })
  }
}

/**
 * Whether our standard input was given to us: a pipe, a socket or a file. A terminal, /dev/null or nothing at all is
 * none of these.
 */
function isStandardInputGiven(): boolean {
  try {
    const stdin = fstatSync(0)
    return stdin.isFIFO() || stdin.isSocket() || stdin.isFile()
  } catch {
    // It was closed before we started.
    return false
  }
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

async function keptSealKey(log: ServeLog): Promise<Uint8Array> {
  const [{ defaultProfile }, { sealKeyIn }] = await Promise.all([
    import('../host/profile.ts'),
    import('./seal-key.ts'),
  ])
  return sealKeyIn(defaultProfile(), (text) => {
    log.warning(text)
  })
}
