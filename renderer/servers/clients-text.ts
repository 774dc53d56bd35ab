import { counted } from '../text/measures.ts'
import { serversText } from './text.ts'

/**
 * Returns how many clients are connected to This app.
 *
 * @param others number of connected clients without Patchbay's own connection
 */
export function clientsText(others: number): string {
  return others === 0
    ? serversText.clientsText.noClientsConnected
    : serversText.clientsText.connected(counted(others, 'client'))
}
