import { isJsonObject } from '../../protocol/json.ts'
import type { Connection } from '../connection.ts'

/**
 * Notifies the server that the roots changed (`notifications/roots/list_changed`), if the revision has that notification
 * and the connection declares it. Returns false if nothing was sent: from 2026-07-28 on servers ask when they need the roots.
 */
export async function notifyRootsChanged(connection: Connection): Promise<boolean> {
  const { roots } = connection.declaration.capabilities
  const isDeclared = isJsonObject(roots) && roots['listChanged'] === true
  if (connection.era !== 'legacy' || !isDeclared) return false
  await connection.notify('notifications/roots/list_changed')
  return true
}
