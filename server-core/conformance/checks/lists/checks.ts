import type { Check } from '../../check.ts'

/** The checks of the area `lists`. */
export const LISTS_CHECKS: readonly Check[] = []
