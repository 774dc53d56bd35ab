import type { Check } from '../../check.ts'

/** The checks of the area `mrtr`. */
export const MRTR_CHECKS: readonly Check[] = []
