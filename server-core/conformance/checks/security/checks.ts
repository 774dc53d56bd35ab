import type { Check } from '../../check.ts'
import { SERVER_SAFETY_CHECKS } from './server-sessions.ts'

/** The checks of the area `security`. */
export const SECURITY_CHECKS: readonly Check[] = SERVER_SAFETY_CHECKS
