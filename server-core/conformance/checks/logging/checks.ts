import type { Check } from '../../check.ts'

/** The checks of the area `logging`. */
export const LOGGING_CHECKS: readonly Check[] = []
