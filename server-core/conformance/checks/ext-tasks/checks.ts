import type { Check } from '../../check.ts'
import { EXTENSION_TASK_CHECKS } from './extension-tasks.ts'

/** The checks of the area `ext-tasks`. */
export const EXT_TASKS_CHECKS: readonly Check[] = EXTENSION_TASK_CHECKS
