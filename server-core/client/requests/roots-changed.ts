import { isJsonObject } from '../../protocol/json.ts'
import type { Connection } from '../connection.ts'

/**
 * Notifies the server that the roots changed (`notifications/roots/list_changed`), if the revision has that notification
 * and the connection declares it. Returns false if nothing was sent: from 2026-07-28 on servers ask when they need the roots.
 *
 * @example
 * ```ts
 * import { connectTo, notifyRootsChanged } from 'patchbay/client'
 *
 * const connection = await connectTo(
 *   { transport: 'stdio', command: 'node', args: ['server.js'] },
 *   { identity: { name: 'my-client', version: '1.0.0' } },
 * )
 * const isSent = await notifyRootsChanged(connection)
 * console.log(isSent)
 * await connection.close()
 * ```
 */
export async function notifyRootsChanged(connection: Connection): Promise<boolean> {
  const { roots } = connection.declaration.capabilities
  const isDeclared = isJsonObject(roots) && roots['listChanged'] === true
  if (connection.era !== 'legacy' || !isDeclared) return false
  await connection.notify('notifications/roots/list_changed')
  return true
}
