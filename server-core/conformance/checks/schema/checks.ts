import type { Check } from '../../check.ts'

/** The checks of the area `schema`. */
export const SCHEMA_CHECKS: readonly Check[] = []
