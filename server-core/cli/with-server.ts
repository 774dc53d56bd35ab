import { connectTo } from '../client/connect-to.ts'
import type { Connection } from '../client/connect.ts'
import type { ProbeStep } from '../client/errors.ts'
import type { ConnectionListeners } from '../client/events.ts'
import { TASKS_EXTENSION } from '../client/extension.ts'
import { pairsToRecord } from '../host/servers/pairs.ts'
import { secretsOf } from '../host/servers/secret-fields.ts'
import { productVersion } from '../host/version.ts'
import type { OpenerParts, ServerAddress } from '../transports/opener.ts'
import type { ClientSettings } from './client-flags.ts'
import { masking } from './output.ts'
import { declaredResponders } from './questions/declared.ts'
import type { DirectTarget, Target } from './target.ts'

/** What a command wants beside a connection. */
export type ServerUse = {
  readonly listeners?: ConnectionListeners
  /** Gets each step of finding the revision. */
  readonly onStep?: (step: ProbeStep) => void
  /** Calls may become tasks (extension `io.modelcontextprotocol/tasks`). */
  readonly tasks?: boolean
}

/** Where a server is, and what was chosen about speaking with it. To be closed at the end of the command. */
export type Reached = {
  readonly direct: DirectTarget
  readonly address: ServerAddress
  readonly parts: OpenerParts
  readonly close: () => Promise<void>
}

/**
 * Connects to a server, lets `use` work with it and closes it, however that ends. Rejects with the connection's
 * own errors, or with those of `use`.
 *
 * @param signal gives up
 */
export async function withServer<Value>(
  settings: ClientSettings,
  signal: AbortSignal,
  use: (connection: Connection) => Promise<Value>,
  { listeners = {}, onStep, tasks = false }: ServerUse = {},
): Promise<Value> {
  const { timeoutMs, logLevel, responders: rules = {}, profile } = settings
  const reached = await reach(settings, signal)
  const { protocol, declaration, entry } = reached.direct
  const ended = new AbortController()
  try {
    const connection = await connectTo(
      reached.address,
      {
        ...(protocol !== undefined && { protocol }),
        ...(declaration !== undefined && { declaration }),
        ...(tasks && { extensions: [{ id: TASKS_EXTENSION }] }),
        ...(onStep !== undefined && { onStep }),
        identity: { name: 'patchbay', title: 'Patchbay', version: productVersion },
        responders: declaredResponders({ rules, profile, entry, ended: ended.signal }),
        requestTimeoutMs: timeoutMs,
        probeTimeoutMs: Math.min(timeoutMs, 3_000),
        listeners,
        signal,
      },
      reached.parts,
    )
    try {
      if (logLevel !== undefined) await connection.setLogLevel(logLevel)
      return await use(connection)
    } finally {
      ended.abort(new Error('the command is over'))
      await connection.close()
    }
  } finally {
    ended.abort(new Error('the command is over'))
    await reached.close()
  }
}

/** Finds out where a server is, secrets registered for masking. Throws as `storedServer` does. */
export async function reach(
  { target, profile, authorize }: ClientSettings,
  signal: AbortSignal,
): Promise<Reached> {
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
