import type { Check } from '../../check.ts'

/** The checks of the area `json-schema`. */
export const JSON_SCHEMA_CHECKS: readonly Check[] = []
