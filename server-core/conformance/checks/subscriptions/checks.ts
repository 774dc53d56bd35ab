import type { Check } from '../../check.ts'

/** The checks of the area `subscriptions`. */
export const SUBSCRIPTIONS_CHECKS: readonly Check[] = []
