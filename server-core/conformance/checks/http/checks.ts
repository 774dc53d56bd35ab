import type { Check } from '../../check.ts'

/** The checks of the area `http`. */
export const HTTP_CHECKS: readonly Check[] = []
