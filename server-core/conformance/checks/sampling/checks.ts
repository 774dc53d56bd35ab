import type { Check } from '../../check.ts'

/** The checks of the area `sampling`. */
export const SAMPLING_CHECKS: readonly Check[] = []
