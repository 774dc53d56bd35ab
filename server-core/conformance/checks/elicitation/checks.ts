import type { Check } from '../../check.ts'

/** The checks of the area `elicitation`. */
export const ELICITATION_CHECKS: readonly Check[] = []
