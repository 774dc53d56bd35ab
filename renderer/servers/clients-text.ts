import { counted } from '../text/measures.ts'

/**
 * Returns how many clients are connected to This app.
 *
 * @param others number of connected clients without Patchbay's own connection
 */
export function clientsText(others: number): string {
  return others === 0 ? 'No clients connected.' : `${counted(others, 'client')} connected.`
}
