import { bothTaps } from '../../capture/recording/both-taps.ts'
import { connectTo } from '../../client/connect-to.ts'
import type { Connection } from '../../client/connect.ts'
import type { Declaration } from '../../client/declaration.ts'
import { ConnectError, PeerError, type ProbeStep } from '../../client/errors.ts'
import type { ConnectionListeners } from '../../client/events.ts'
import { TASKS_EXTENSION } from '../../protocol/extension-ids.ts'
import type { Responders } from '../../client/responders.ts'
import type { Recorder } from '../../capture/recording/recorder.ts'
import type { ConnectionSource } from '../../capture/recording/recording-format.ts'
import type { Revision } from '../../protocol/revisions.ts'
import type { LogLevel } from '../../protocol/log-level.ts'
import { ErrorCode } from '../../protocol/errors.ts'
import { pairsToRecord } from '../../profile/pairs.ts'
import { secretsOf } from '../../profile/secret-fields.ts'
import { productVersion } from '../../host/version.ts'
import type { TransportOptions, ServerAddress } from '../../transports/opener.ts'
import type { Tap } from '../../ports/tap.ts'
import type { ClientSettings } from './client-flags.ts'
import { ConnectWatch } from './connect-watch.ts'
import { ForwardedStderr } from './forwarded-stderr.ts'
import { plural } from '../../protocol/plural.ts'
import type { OtlpExporter } from '../../recordings/otlp/otlp-exporter.ts'
import { StartError } from '../output/exit-code.ts'
import { masking, writeNote, writeStderr } from '../output/output.ts'
import { declaredResponders } from '../questions/declared.ts'
import type { DirectTarget, Target } from './target.ts'

/** Milliseconds after which a command says what it waits for. */
const NOTICE_MS = 3_000
/** Milliseconds that a process may write only text before connecting is given up, unless a timeout was chosen. */
const NO_JSON_MS = 10_000

/** What a command wants beside a connection. */
export type ServerUse = {
  readonly listeners?: ConnectionListeners
  /** Gets each step of finding the revision. */
  readonly onStep?: (step: ProbeStep) => void
  /** Who answers the server, instead of the rules and the person at the terminal. */
  readonly responders?: (usual: Responders) => Responders
  /** What is declared, unless the user chose otherwise. */
  readonly declaration?: Declaration
  /** The revision to insist on, unless the user chose one. */
  readonly revision?: Revision
  /** Records the connection too. */
  readonly recorder?: Recorder
  /** Calls may become tasks (extension `io.modelcontextprotocol/tasks`). */
  readonly tasks?: boolean
}

/** Where a server is, and what was chosen about speaking with it. To be closed at the end of the command. */
export type ServerSession = {
  readonly direct: DirectTarget
  readonly address: ServerAddress
  readonly parts: TransportOptions
  readonly close: () => Promise<void>
}

/**
 * Connects to a server, lets `use` work with it and closes it, however that ends. Rejects with the connection's
 * own errors, or with those of `use`.
 *
 * @param signal gives up
 */
export async function useServer<Value>(
  settings: ClientSettings,
  signal: AbortSignal,
  use: (connection: Connection) => Promise<Value>,
  serverUse: ServerUse = {},
): Promise<Value> {
  const { listeners = {}, onStep, tasks = false, recorder } = serverUse
  const { timeoutMs, isTimeoutChosen, logLevel, responders: rules = {}, profile } = settings
  const reached = await openServerSession(settings, signal)
  const { protocol = serverUse.revision, declaration = serverUse.declaration, entry } = reached.direct
  const ended = new AbortController()
  const watch = new ConnectWatch({
    what: nameOf(reached),
    timeoutMs,
    noticeMs: NOTICE_MS,
    noJsonMs: isTimeoutChosen === true ? Infinity : NO_JSON_MS,
    writeStderr: writeNote,
  })
  const scriptLog = new ForwardedStderr(writeNote)
  const tap = isDirectory(reached.direct) ? bothTaps(watch.tap, scriptLog.tap) : watch.tap
  const recording = await recordSession(settings, reached)
  const exporter = await exporterFor(settings)
  const usual = declaredResponders({ rules, profile, entry, ended: ended.signal })
  const recorders = [
    ...(recording === undefined ? [] : [recording.tap]),
    ...(exporter === undefined ? [] : [exporter.tap(sourceOf(reached), sourceOf(reached).transport)]),
    ...(recorder === undefined ? [] : [recorder.tap(sourceOf(reached))]),
  ]
  try {
    const connection = await connectTo(
      patientAddress(reached.address, watch),
      {
        ...(protocol !== undefined && { protocol }),
        ...(declaration !== undefined && { declaration }),
        ...(tasks && { extensions: [{ id: TASKS_EXTENSION }] }),
        ...(onStep !== undefined && { onStep }),
        identity: { name: 'patchbay', title: 'Patchbay', version: productVersion },
        responders: serverUse.responders?.(usual) ?? usual,
        requestTimeoutMs: timeoutMs,
        probeTimeoutMs: Math.min(timeoutMs, 3_000),
        listeners,
        signal: AbortSignal.any([signal, watch.signal]),
      },
      { ...reached.parts, tap: recorders.reduce(bothTaps, tap) },
    ).catch((error: unknown) => {
      throw isDirectory(reached.direct)
        ? servingError(givenUpError(error, watch))
        : givenUpError(error, watch)
    })
    watch.connected()
    scriptLog.connected()
    try {
      if (logLevel !== undefined) await requestLogLevel(connection, logLevel)
      return await use(connection)
    } finally {
      ended.abort(new Error('the command is over'))
      await connection.close()
      scriptLog.end()
      // A command that listens to this text shows it itself.
      if (listeners.invalid === undefined) recordText(watch)
    }
  } finally {
    watch.connected()
    ended.abort(new Error('the command is over'))
    await recording?.close()
    await exporter?.close()
    await reached.close()
  }
}

/** Sets the level of log messages; a server that declares logging without handling it loses nothing else by that. */
async function requestLogLevel(connection: Connection, level: LogLevel): Promise<void> {
  try {
    await connection.setLogLevel(level)
  } catch (error) {
    if (!(error instanceof PeerError) || error.code !== ErrorCode.methodNotFound) throw error
    writeNote(
      'patchbay: the server does not know logging/setLevel, so its log messages are those that it sends anyway',
    )
  }
}

/** What `patchbay serve` itself said when it ended, for `--dir`; any other error as it is. */
function servingError(error: unknown): unknown {
  if (!(error instanceof ConnectError) || error.code !== 'process-exited') return error
  const said = /^patchbay: (?!\w+: )(.+)/ms.exec(error.evidence.stderr ?? '')?.[1]
  return said === undefined ? error : new StartError(said.trim(), { cause: error })
}

function isDirectory(direct: DirectTarget): boolean {
  return direct.type === 'command' && direct.directory !== undefined
}

/** Records what a command sends and receives, if it was asked to. */
export async function recordSession(
  { record }: ClientSettings,
  session: ServerSession,
): Promise<{ readonly tap: Tap; close(): Promise<void> } | undefined> {
  if (record === undefined) return undefined
  const { recordClient } = await import('./record-client.ts')
  return recordClient(record, sourceOf(session))
}

async function exporterFor({ otlp }: ClientSettings): Promise<OtlpExporter | undefined> {
  if (otlp === undefined) return undefined
  const { OtlpExporter: Exporter } = await import('../../recordings/otlp/otlp-exporter.ts')
  const exporter = new Exporter({ mask: (text) => masking.text(text), onTrouble: writeStderr })
  exporter.configure(otlp)
  return exporter
}

function sourceOf(session: ServerSession): ConnectionSource {
  const { transport } = session.address
  return { serverName: nameOf(session), side: 'client', transport: transport === 'auto' ? 'http' : transport }
}

/** What is connected to, as it was named. */
function nameOf({ direct, address }: ServerSession): string {
  if (direct.type === 'command' && direct.directory !== undefined) return `the scripts of ${direct.directory}`
  return address.transport === 'stdio' ? [address.command, ...address.args].join(' ') : address.url
}

/** An address whose authorization stops the clock while it waits for a person. */
function patientAddress(address: ServerAddress, watch: ConnectWatch): ServerAddress {
  if (address.transport === 'stdio' || address.authorization === undefined) return address
  const { authorization } = address
  return {
    ...address,
    authorization: {
      headers: (request) => authorization.headers(request),
      challenged: (refusal) => watch.paused(() => authorization.challenged(refusal)),
      responded: (headers, status) => authorization.responded?.(headers, status),
    },
  }
}

/** The error of a connection that the watch gave up, with its reason; any other error as it is. */
function givenUpError(error: unknown, { givenUp }: ConnectWatch): unknown {
  if (givenUp === undefined || !(error instanceof ConnectError)) return error
  const { evidence, ended } = error
  const code = givenUp.type === 'timeout' ? 'timeout' : 'not-mcp'
  const steps = [...error.steps, { step: 'connecting', outcome: givenUp.message, verdict: 'failed' } as const]
  return new ConnectError(code, givenUp.message, { steps, evidence, ended, cause: error })
}

function recordText({ text }: ConnectWatch): void {
  if (text === undefined) return
  const { lines, first } = text
  writeNote(
    `patchbay: the server wrote ${plural(lines, 'line')} on stdout that ${lines === 1 ? 'is' : 'are'} not JSON, which ` +
      `some clients do not accept; it should log to stderr. The first: ${first}`,
  )
}

/** Finds out where a server is, secrets registered for masking. Throws as `storedServer` does. */
export async function openServerSession(
  { target, profile, authorize }: ClientSettings,
  signal: AbortSignal,
): Promise<ServerSession> {
  const direct = await directOf(target)
  if (direct.type === 'command') {
    const { command, args, env, cwd } = direct
    register({ transport: 'stdio', command, args, env, cwd: cwd ?? '' })
    return {
      direct,
      address: {
        transport: 'stdio',
        command,
        args,
        env: pairsToRecord(env),
        ...(cwd !== undefined && { cwd }),
      },
      parts: {},
      close: () => Promise.resolve(),
    }
  }
  const { url, headers, transport = 'auto' } = direct
  register({ transport, url, headers })
  const address = { transport, url, headers: pairsToRecord(headers) }
  const isAuthorized = headers.some(({ name }) => name.toLowerCase() === 'authorization')
  // Credentials that were given are the only ones.
  if (isAuthorized) return { direct, address, parts: {}, close: () => Promise.resolve() }
  const { serverAuthorization } = await import('./server-authorization.ts')
  const authorization = serverAuthorization({
    url,
    profile,
    owner: direct.entry?.key,
    authorize: authorize === true,
    signal,
  })
  return { direct, address: { ...address, authorization }, parts: {}, close: () => authorization.close() }
}

function register(target: Parameters<typeof secretsOf>[0]): void {
  for (const secret of secretsOf(target)) masking.register(secret)
}

async function directOf(target: Target): Promise<DirectTarget> {
  if (target.type !== 'stored') return target
  const { storedServer } = await import('./stored-server.ts')
  return storedServer(target)
}
