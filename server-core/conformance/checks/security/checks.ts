import type { Check } from '../../check.ts'
import { foreignToken, sessionNotAuth } from '../auth/server-tokens.ts'
import { CLIENT_SAFETY_CHECKS } from './clients.ts'
import { HANDLE_CHECKS } from './handles.ts'
import { SERVER_SAFETY_CHECKS } from './server-sessions.ts'

/** The checks of the area `security`. */
export const SECURITY_CHECKS: readonly Check[] = [
  ...SERVER_SAFETY_CHECKS,
  sessionNotAuth,
  foreignToken,
  ...HANDLE_CHECKS,
  ...CLIENT_SAFETY_CHECKS,
]
