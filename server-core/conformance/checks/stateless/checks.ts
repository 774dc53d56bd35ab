import type { Check } from '../../check.ts'

/** The checks of the area `stateless`. */
export const STATELESS_CHECKS: readonly Check[] = []
