import type { Check } from '../../check.ts'

/** The checks of the area `security`. */
export const SECURITY_CHECKS: readonly Check[] = []
