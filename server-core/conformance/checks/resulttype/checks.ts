import type { Check } from '../../check.ts'

/** The checks of the area `resulttype`. */
export const RESULTTYPE_CHECKS: readonly Check[] = []
