import type { Check } from '../../check.ts'

/** The checks of the area `ws`. */
export const WS_CHECKS: readonly Check[] = []
