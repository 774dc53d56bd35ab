import type { Check } from '../../check.ts'

/** The checks of the area `cancel`. */
export const CANCEL_CHECKS: readonly Check[] = []
