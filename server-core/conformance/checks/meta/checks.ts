import type { Check } from '../../check.ts'

/** The checks of the area `meta`. */
export const META_CHECKS: readonly Check[] = []
