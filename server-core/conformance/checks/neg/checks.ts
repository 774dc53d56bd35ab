import type { Check } from '../../check.ts'

/** The checks of the area `neg`. */
export const NEG_CHECKS: readonly Check[] = []
