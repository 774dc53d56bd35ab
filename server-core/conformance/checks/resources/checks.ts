import type { Check } from '../../check.ts'

/** The checks of the area `resources`. */
export const RESOURCES_CHECKS: readonly Check[] = []
