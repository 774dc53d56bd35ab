import type { Check } from '../../check.ts'

/** The checks of the area `lifecycle`. */
export const LIFECYCLE_CHECKS: readonly Check[] = []
