import type { Check } from '../../check.ts'

/** The checks of the area `versioning`. */
export const VERSIONING_CHECKS: readonly Check[] = []
