import type { Check } from '../../check.ts'

/** The checks of the area `auth`. */
export const AUTH_CHECKS: readonly Check[] = []
