import type { Check } from '../../check.ts'

/** The checks of the area `tasks`. */
export const TASKS_CHECKS: readonly Check[] = []
