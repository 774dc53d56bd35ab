import type { Check } from '../../check.ts'

/** The checks of the area `icons`. */
export const ICONS_CHECKS: readonly Check[] = []
