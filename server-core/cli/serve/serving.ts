import { fstatSync } from 'node:fs'
import { once } from 'node:events'
import path from 'node:path'
import type { ResourceServerOptions } from '../../authorization/options.ts'
import type { FaultControl } from '../../faults/fault-control.ts'
import type { FaultSettings } from '../../faults/fault-settings.ts'
import type { Authorization } from '../../ports/authorization-port.ts'
import type { HttpListener } from '../../listener/http-listener.ts'
import type { Attachment, ServerPort } from '../../ports/server-port.ts'
import { NO_TAP, type Tap } from '../../ports/tap.ts'
import { StartError, UsageError } from '../output/exit-code.ts'
import type { ServingCommand } from './file/file-members.ts'
import { requireKnownHost } from './host-names.ts'
import { logWarnings } from './node-warnings.ts'
import { writeStderr } from '../output/output.ts'
import { readServeFile } from './file/serve-file.ts'
import { loggingTap, ServeLog } from './serve-log.ts'
import type { ServeFlags } from './serve-options.ts'
import { hostToListenOn, planServe, type NetworkPlan, type ServePlan } from './serve-plan.ts'
import { keepYoungGenerationSmall } from '../../processes/young-generation.ts'

/** Milliseconds that requests in flight have to finish once the process is asked to end. */
const DRAIN_MS = 5_000

/** How something is to be served, by flags, file and environment together. */
export type Serving = {
  readonly plan: ServePlan
  /** The `patchbay.json` that was read, which need not exist. */
  readonly file: string
  /** Its member `proxy`, unchecked. */
  readonly proxy: unknown
  readonly log: ServeLog
  readonly isPiped: boolean
  /** `patchbay.json` switches the server off. */
  readonly isOff: boolean
  /** Faults that are made on purpose. */
  readonly faults?: FaultSettings
}

/**
 * Reads how to serve. A `patchbay.json` may only restrict, unless the user trusts its folder (in the trust store or with
 * `--trust`) or named it with `--workspace`.
 *
 * @throws UsageError for what cannot be served so, before anything runs
 */
export async function readServing(flags: ServeFlags, command: ServingCommand): Promise<Serving> {
  const folder = path.resolve(flags.folder ?? flags.workspace ?? '.')
  const file = path.join(folder, 'patchbay.json')
  const isNamed = flags.workspace !== undefined
  const read = await readServeFile({
    folder,
    isNamed,
    command,
    isTrusted: async () => isNamed || flags.trust === true || (await isTrusted(folder, flags.profile)),
  })
  const isPiped = isStandardInputGiven()
  const said = {
    flags,
    file: read.options,
    tokenVariable: process.env['PATCHBAY_TOKEN'],
    tokensVariable: process.env['PATCHBAY_TOKENS'],
    isPiped,
  }
  const host = hostToListenOn(said)
  if (host !== undefined) await requireKnownHost(host)
  const plan = planServe(said)
  const log = new ServeLog(plan.logLevel)
  logWarnings(log)
  for (const warning of [...read.warnings, ...(flags.warnings ?? [])]) log.warning(warning)
  // The file must not hide by its own log level that it was read.
  if (read.sets.length > 0)
    new ServeLog(flags.logLevel ?? 'info').info(`${file} sets ${read.sets.join(', ')}`)
  const faults = await readFaultSettings(flags, read.faults, file)
  return {
    plan,
    file,
    proxy: read.proxy,
    log,
    isPiped,
    isOff: read.options.off === true,
    ...(faults !== undefined && { faults }),
  }
}

/** The trust store is loaded only for a file that needs trust: it would slow every other start. */
async function isTrusted(folder: string, profile: string | undefined): Promise<boolean> {
  const { trustedFolders } = await import('./file/trusted-folders.ts')
  return (await trustedFolders(profile))(folder)
}

/** Flags win over the member of `patchbay.json`; loaded for those who have either. */
async function readFaultSettings(
  flags: ServeFlags,
  member: unknown,
  file: string,
): Promise<FaultSettings | undefined> {
  if (flags.faults === undefined && member === undefined) return undefined
  const { readFaults, readFaultsFile } = await import('./serve-faults.ts')
  if (flags.faults !== undefined) return readFaultsFile(flags.faults)
  return readFaults(member, `${file}: faults`)
}

/** A tap that writes to the log, where the log tells so much. */
export function tapFor(log: ServeLog, name: string): Tap {
  return log.tells('debug') ? loggingTap(log, name) : NO_TAP
}

/** What is served, and its name where its addresses are printed. */
export type Served = {
  readonly server: ServerPort
  readonly name: string
  /** What recordings call it. */
  readonly serverName: string
  /** Loads ahead what the first calls would wait for. */
  readonly prepare?: () => Promise<void>
  /** Returns why nothing is served over the network just now; undefined while something is. */
  readonly off?: () => string | undefined
}

/**
 * Serves until `signal` is aborted; then refuses new requests and gives those in flight 5 s to finish. Where standard
 * input is a connection, its end is the end of the process too.
 */
export async function serveUntilEnd(served: Served, serving: Serving, signal: AbortSignal): Promise<void> {
  const { record, network } = serving.plan
  if (record === undefined) {
    await serveTo(tapFor, served, serving, signal)
    return
  }
  const { startRecording } = await import('./serve-recording.ts')
  const plan = { file: record, serverName: served.serverName, tokens: network?.tokens ?? [] }
  const recording = await startRecording(plan, serving.log)
  const tapOf: TapOf = (log, name) => recording.tap(name === 'stdio' ? 'stdio' : 'http', tapFor(log, name))
  try {
    await serveTo(tapOf, served, serving, signal)
  } finally {
    await recording.close()
  }
}

/** Returns what sees the messages of a place; the log calls it by this name. */
type TapOf = (log: ServeLog, name: 'network' | 'stdio') => Tap

async function serveTo(
  tapOf: TapOf,
  { server, name, prepare, off }: Served,
  { plan, log, isPiped, faults }: Serving,
  signal: AbortSignal,
): Promise<void> {
  const control = faults === undefined ? undefined : await controlOf(faults, log)
  const options = control === undefined ? {} : { faults: control }
  const listener =
    plan.network === undefined
      ? undefined
      : await listen({ server, name, off }, { ...plan.network, ...options }, tapOf(log, 'network'), log)
  // Not before the first answer, which counts more.
  setTimeout(keepYoungGenerationSmall, 100).unref()
  // What listens stays; over a pipe alone the first answer counts more.
  if (listener !== undefined) void prepare?.()
  const attachment = plan.stdio ? await attachStdio(server, tapOf(log, 'stdio'), options) : undefined
  // Whoever holds the other end of a pipe is who started us; a terminal's end is not a reason to leave the others.
  const isTheirs = attachment !== undefined && (isPiped || listener === undefined)
  await (isTheirs ? Promise.race([attachment.closed, untilAborted(signal)]) : untilAborted(signal))
  log.debug('shutting down')
  if (control !== undefined) log.info((await import('./serve-faults.ts')).faultCounts(control))
  const onCutOff = () => {
    log.warning(`requests that were still running after ${DRAIN_MS / 1_000} s were cut off`)
  }
  await Promise.all([
    attachment === undefined ? undefined : drain(attachment, onCutOff),
    listener?.close({ graceMs: DRAIN_MS, onCutOff }),
  ])
}

/** Lets the requests in flight of a connection finish, for a while, and closes it. */
async function drain(attachment: Attachment, onCutOff: () => void): Promise<void> {
  attachment.finish()
  const limit = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    onCutOff()
    limit.resolve()
  }, DRAIN_MS)
  await Promise.race([attachment.closed, limit.promise])
  clearTimeout(timer)
  await attachment.close()
}

async function controlOf(settings: FaultSettings, log: ServeLog): Promise<FaultControl | undefined> {
  if (!settings.on || !settings.rules.some(({ enabled }) => enabled)) return undefined
  return (await import('./serve-faults.ts')).controlFaults(settings, log)
}

type Faulty = { readonly faults?: FaultControl }

async function attachStdio(server: ServerPort, tap: Tap, faulty: Faulty): Promise<Attachment> {
  const { claimStandardOutput, stdioServerLink } = await import('../../transports/stdio/stdio-server.ts')
  return server.attach(
    stdioServerLink({ input: process.stdin, output: claimStandardOutput(), tap, ...faulty }),
  )
}

/** Listens on all routes of one port and tells their addresses. Throws a `StartError` if it cannot listen. */
async function listen(
  { server, name, off }: Pick<Served, 'server' | 'name'> & { readonly off: Served['off'] | undefined },
  network: NetworkPlan & Faulty,
  tap: Tap,
  log: ServeLog,
): Promise<HttpListener> {
  const { ListenError, startHttpListener } = await import('../../listener/http-listener.ts')
  const { tokens, authorization: authority, sessionIdleMs, ...options } = network
  const limits = sessionIdleMs === undefined ? {} : { limits: { sessionIdleMs } }
  const authorization =
    authority === undefined ? {} : { authorization: await authorizationOf(authority, log) }
  try {
    const listener = await startHttpListener({
      server,
      ...options,
      ...limits,
      token: tokens,
      ...authorization,
      ...(off !== undefined && { off }),
      tap,
    })
    for (const url of Object.values(listener.urls)) writeStderr(`${name} listens at ${url}`)
    return listener
  } catch (error) {
    if (error instanceof ListenError) throw new StartError(error.message, { cause: error })
    throw error
  }
}

/** Loads what checks access tokens. Throws a `UsageError` if these options cannot work. */
async function authorizationOf(options: ResourceServerOptions, log: ServeLog): Promise<Authorization> {
  const { createResourceServer } = await import('../../authorization/resource-server.ts')
  const { AuthorizationOptionsError } = await import('../../authorization/options.ts')
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

/** The key that the profile keeps from start to start. */
export async function keptSealKey(log: ServeLog): Promise<Uint8Array> {
  const [{ defaultProfile }, { sealKeyIn }] = await Promise.all([
    import('../../profile/profile-files.ts'),
    import('./seal-key.ts'),
  ])
  return sealKeyIn(defaultProfile(), (text) => {
    log.warning(text)
  })
}
