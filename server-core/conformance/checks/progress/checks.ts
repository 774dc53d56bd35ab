import type { Check } from '../../check.ts'

/** The checks of the area `progress`. */
export const PROGRESS_CHECKS: readonly Check[] = []
