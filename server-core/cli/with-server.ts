import { connect, type Connection } from '../client/connect.ts'
import type { ClientTransport } from '../transports/contract.ts'
import { pairsToRecord } from '../host/servers/pairs.ts'
import { secretsOf } from '../host/servers/secret-fields.ts'
import { productVersion } from '../host/version.ts'
import { masking } from './output.ts'
import type { Target } from './target.ts'

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
  if (target.type === 'stored') {
    const { storedServer } = await import('./stored-server.ts')
    return opener(await storedServer(target))
  }
  if (target.type === 'url') {
    const { url, headers } = target
    for (const secret of secretsOf({ transport: 'http', url, headers })) masking.register(secret)
    const { httpTransport } = await import('../transports/http-client.ts')
    return () => httpTransport({ url, headers: pairsToRecord(headers) })
  }
  const { command, args, env, cwd } = target
  for (const secret of secretsOf({ transport: 'stdio', command, args, env, cwd: cwd ?? '' }))
    masking.register(secret)
  const { stdioTransport } = await import('../transports/stdio-client.ts')
  const { guardedTransport } = await import('../host/processes/guarded-transport.ts')
  const place = cwd === undefined ? {} : { cwd }
  return () => guardedTransport(stdioTransport({ command, args, env: pairsToRecord(env), ...place }))
}
