import { connect, type Connection } from '../client/connect.ts'
import { openerFor, type Opening } from '../transports/opener.ts'
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
  const direct = await directOf(target)
  const { protocol, declaration } = direct
  const connection = await connect({
    ...(await waysTo(direct)),
    ...(protocol !== undefined && { protocol }),
    ...(declaration !== undefined && { declaration }),
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

type Direct = Exclude<Target, { type: 'stored' }>

async function directOf(target: Target): Promise<Direct> {
  if (target.type !== 'stored') return target
  const { storedServer } = await import('./stored-server.ts')
  return storedServer(target)
}

/** Loads only what this target needs: an HTTP client is much to read for a server over stdio. */
async function waysTo(target: Direct): Promise<Opening> {
  if (target.type === 'url') {
    const { url, headers, transport = 'auto' } = target
    for (const secret of secretsOf({ transport, url, headers })) masking.register(secret)
    return openerFor({ transport, url, headers: pairsToRecord(headers) })
  }
  const { command, args, env, cwd } = target
  for (const secret of secretsOf({ transport: 'stdio', command, args, env, cwd: cwd ?? '' }))
    masking.register(secret)
  const { guardedTransport } = await import('../host/processes/guarded-transport.ts')
  const place = cwd === undefined ? {} : { cwd }
  return openerFor(
    { transport: 'stdio', command, args, env: pairsToRecord(env), ...place },
    { guard: guardedTransport },
  )
}
