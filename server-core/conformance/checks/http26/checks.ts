import type { Check } from '../../check.ts'

/** The checks of the area `http26`. */
export const HTTP26_CHECKS: readonly Check[] = []
