import { counted } from '../text/measures.ts'

/** Who is connected to This app. `count` includes Patchbay's own connection if it has one (`isOwnConnected`). */
export function clientsText(count: number, isOwnConnected: boolean): string {
  const others = Math.max(0, isOwnConnected ? count - 1 : count)
  if (!isOwnConnected) return others === 0 ? 'No client yet.' : `${counted(others, 'client')} connected.`
  if (others === 0) return 'No other client yet.'
  return `Patchbay itself and ${counted(others, 'other')} connected.`
}
