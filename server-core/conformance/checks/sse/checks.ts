import type { Check } from '../../check.ts'

/** The checks of the area `sse`. */
export const SSE_CHECKS: readonly Check[] = []
