import { isJsonObject } from '../../protocol/json.ts'
import type { Connection } from '../connection.ts'

/**
 * Tells the server that the roots changed (`notifications/roots/list_changed`), where the revision has that and the
 * connection declares it. Gives false if nothing was told: from 2026-07-28 on servers ask when they need the roots.
 */
export async function notifyRootsChanged(connection: Connection): Promise<boolean> {
  const { roots } = connection.declaration.capabilities
  const isDeclared = isJsonObject(roots) && roots['listChanged'] === true
  if (connection.era !== 'legacy' || !isDeclared) return false
  await connection.notify('notifications/roots/list_changed')
  return true
}
