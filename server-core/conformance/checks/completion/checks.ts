import type { Check } from '../../check.ts'

/** The checks of the area `completion`. */
export const COMPLETION_CHECKS: readonly Check[] = []
