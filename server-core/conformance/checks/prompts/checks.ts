import type { Check } from '../../check.ts'

/** The checks of the area `prompts`. */
export const PROMPTS_CHECKS: readonly Check[] = []
