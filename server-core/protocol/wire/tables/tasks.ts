import { notification, NOTIFICATION_META, request, REQUEST_META, result } from './messages.ts'
import {
  between,
  choice,
  INTEGER,
  list,
  may,
  named,
  need,
  NULL,
  object,
  only,
  OPEN,
  TEXT,
  union,
  type Definitions,
  type Fields,
  type Shape,
} from '../shape.ts'

const CORE_TASKS = between('2025-11-25', '2025-11-25')

const task: Fields = {
  taskId: need(TEXT),
  status: need(named('TaskStatus')),
  statusMessage: may(TEXT),
  createdAt: need(TEXT),
  lastUpdatedAt: need(TEXT),
  ttl: need(union(INTEGER, NULL)),
  pollInterval: may(INTEGER),
}

const byId = (method: string): Shape => request(method, object({ ...REQUEST_META, taskId: need(TEXT) }))

/** Tasks as 2025-11-25 has them in its core (Utilities: Tasks). */
export const TASKS: Definitions = {
  Task: only(object(task), CORE_TASKS),
  TaskStatus: only(choice('working', 'input_required', 'completed', 'failed', 'cancelled'), CORE_TASKS),
  TaskMetadata: only(object({ ttl: may(INTEGER) }), CORE_TASKS),
  RelatedTaskMetadata: only(object({ taskId: need(TEXT) }), CORE_TASKS),
  TaskAugmentedRequestParams: only(object({ ...REQUEST_META, task: may(named('TaskMetadata')) }), CORE_TASKS),
  CreateTaskResult: only(result({ task: need(named('Task')) }), CORE_TASKS),
  GetTaskRequest: only(byId('tasks/get'), CORE_TASKS),
  GetTaskResult: only(result(task), CORE_TASKS),
  GetTaskPayloadRequest: only(byId('tasks/result'), CORE_TASKS),
  GetTaskPayloadResult: only(object({ _meta: may(OPEN) }), CORE_TASKS),
  CancelTaskRequest: only(byId('tasks/cancel'), CORE_TASKS),
  CancelTaskResult: only(result(task), CORE_TASKS),
  ListTasksRequest: only(request('tasks/list', named('PageParams'), 'optional'), CORE_TASKS),
  ListTasksResult: only(result({ tasks: need(list(named('Task'))), nextCursor: may(TEXT) }), CORE_TASKS),
  TaskStatusNotification: only(notification('notifications/tasks/status', task), CORE_TASKS),
  TaskStatusNotificationParams: only(object({ ...NOTIFICATION_META, ...task }), CORE_TASKS),
}
