import type { Check } from '../../check.ts'

/** The checks of the area `ping`. */
export const PING_CHECKS: readonly Check[] = []
