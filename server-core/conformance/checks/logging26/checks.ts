import type { Check } from '../../check.ts'

/** The checks of the area `logging26`. */
export const LOGGING26_CHECKS: readonly Check[] = []
