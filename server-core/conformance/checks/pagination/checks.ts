import type { Check } from '../../check.ts'

/** The checks of the area `pagination`. */
export const PAGINATION_CHECKS: readonly Check[] = []
