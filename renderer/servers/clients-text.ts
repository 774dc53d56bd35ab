import { counted } from '../text/measures.ts'

/**
 * Who is connected to This app.
 *
 * @param others number of connected clients, Patchbay's own connection not counted
 */
export function clientsText(others: number): string {
  return others === 0 ? 'No clients connected.' : `${counted(others, 'client')} connected.`
}
