import type { Connection, RequestOptions } from '../connection.ts'

/**
 * Asks for a sign of life and gives how long it took in milliseconds: `ping`, and from 2026-07-28 on, which has none,
 * `server/discover`. Throws as `Connection.request` does.
 *
 * @example
 * ```ts
 * import { connectTo, ping } from 'patchbay/client'
 *
 * const connection = await connectTo(
 *   { transport: 'stdio', command: 'node', args: ['server.js'] },
 *   { identity: { name: 'my-client', version: '1.0.0' } },
 * )
 * console.log(`${await ping(connection)} ms`)
 * await connection.close()
 * ```
 */
export async function ping(connection: Connection, options: RequestOptions = {}): Promise<number> {
  const startedAt = performance.now()
  if (connection.era === 'legacy') await connection.request('ping', undefined, options)
  else await connection.request('server/discover', undefined, { ...options, cache: 'off' })
  return performance.now() - startedAt
}
