import { connect, type Connection } from '../client/connect.ts'
import type { ClientTransport } from '../transports/contract.ts'
import type { NameAndValue, Target } from './target.ts'
import { productVersion } from '../host/version.ts'

/**
 * Connects to a server, lets `use` work with it and closes it, however that ends. Rejects with the connection's
 * own errors, or with those of `use`.
 *
 * @param timeoutMs how long one request may take
 * @param signal gives up
 */
export async function withServer<Value>(
  target: Target,
  timeoutMs: number,
  signal: AbortSignal,
  use: (connection: Connection) => Promise<Value>,
): Promise<Value> {
  const open = await opener(target)
  const connection = await connect({
    open,
    identity: { name: 'patchbay', title: 'Patchbay', version: productVersion },
    requestTimeoutMs: timeoutMs,
    probeTimeoutMs: Math.min(timeoutMs, 3_000),
    signal,
  })
  try {
    return await use(connection)
  } finally {
    await connection.close()
  }
}

/** Loads only what this target needs: an HTTP client is much to read for a server over stdio. */
async function opener(target: Target): Promise<() => ClientTransport> {
  if (target.type === 'url') {
    const headers = record(target.headers)
    const { httpTransport } = await import('../transports/http-client.ts')
    return () => httpTransport({ url: target.url, headers })
  }
  if (target.type === 'command') {
    const { command, args, cwd } = target
    const env = record(target.env)
    const { stdioTransport } = await import('../transports/stdio-client.ts')
    return () => stdioTransport({ command, args, env, ...(cwd !== undefined && { cwd }) })
  }
  const { storedServer } = await import('./stored-server.ts')
  return opener(await storedServer(target))
}

/** Without a prototype, so that no name is special; a later pair wins. */
function record(pairs: readonly NameAndValue[]): Record<string, string> {
  const named = Object.create(null) as Record<string, string>
  for (const { name, value } of pairs) named[name] = value
  return named
}
