import type { Check } from '../../check.ts'

/** The checks of the area `tools`. */
export const TOOLS_CHECKS: readonly Check[] = []
