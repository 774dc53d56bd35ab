import { CLIENT_ODDITIES } from './clients.ts'
import type { Oddity } from './oddity.ts'
import { SERVER_MESSAGE_ODDITIES } from './server-messages.ts'
import { SERVER_MODERN_ODDITIES } from './server-modern.ts'
import { SERVER_SESSION_ODDITIES } from './server-sessions.ts'

/** Peers that do what is unusual and permitted. */
export const ODDITIES: readonly Oddity[] = [
  ...SERVER_MESSAGE_ODDITIES,
  ...SERVER_SESSION_ODDITIES,
  ...SERVER_MODERN_ODDITIES,
  ...CLIENT_ODDITIES,
]
