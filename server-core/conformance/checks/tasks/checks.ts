import type { Check } from '../../check.ts'
import {
  capability,
  create,
  failedTask,
  isolation,
  limits,
  listTasks,
  toolModes,
  unknownTasks,
} from './creation.ts'
import {
  cancel,
  cancelledNotification,
  http,
  input,
  lifecycle,
  metaIgnored,
  progress,
  result,
} from './progress-and-ends.ts'
import { clientMetadata, serverMetadata } from './related-metadata.ts'
import { CLIENT_TASK_CHECKS } from './client-tasks.ts'

/** The checks of the area `tasks`. */
export const TASKS_CHECKS: readonly Check[] = [
  capability,
  toolModes,
  create,
  lifecycle,
  result,
  input,
  serverMetadata,
  metaIgnored,
  listTasks,
  cancel,
  unknownTasks,
  failedTask,
  isolation,
  progress,
  cancelledNotification,
  http,
  limits,
  clientMetadata,
  ...CLIENT_TASK_CHECKS,
]
