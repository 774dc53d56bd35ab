import type { Check } from '../../check.ts'

/** The checks of the area `caching`. */
export const CACHING_CHECKS: readonly Check[] = []
