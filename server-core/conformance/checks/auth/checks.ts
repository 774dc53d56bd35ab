import type { Check } from '../../check.ts'
import { PLAIN_AUTHORIZATION_CHECKS } from './stdio.ts'

/** The checks of the area `auth`. */
export const AUTH_CHECKS: readonly Check[] = PLAIN_AUTHORIZATION_CHECKS
