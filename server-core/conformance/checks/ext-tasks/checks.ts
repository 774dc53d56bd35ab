import type { Check } from '../../check.ts'

/** The checks of the area `ext-tasks`. */
export const EXT_TASKS_CHECKS: readonly Check[] = []
