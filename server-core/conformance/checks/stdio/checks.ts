import type { Check } from '../../check.ts'

/** The checks of the area `stdio`. */
export const STDIO_CHECKS: readonly Check[] = []
