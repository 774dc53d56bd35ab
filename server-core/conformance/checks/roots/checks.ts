import type { Check } from '../../check.ts'

/** The checks of the area `roots`. */
export const ROOTS_CHECKS: readonly Check[] = []
