import { showFailure } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { tasksText } from './text.ts'

type Named = { readonly serverId: string; readonly taskId: string }

/** A failed action shows a notice; a successful one is visible in the task's state. */
async function runAction(title: string, action: () => Promise<unknown>): Promise<void> {
  try {
    await action()
  } catch (error) {
    showFailure(title, error)
  }
}

/** Asks the server to stop a task. Never rejects. */
export function cancelTask(task: Named): Promise<void> {
  return runAction(tasksText.taskActions.cancelFailed, () => api.tasks.cancel(task))
}

/** Asks where a task stands. Never rejects. */
export function refreshTask(task: Named): Promise<void> {
  return runAction(tasksText.taskActions.statusFailed, () => api.tasks.refresh(task))
}

/** Removes a task from the list. Never rejects. */
export function forgetTask(task: Named): Promise<void> {
  return runAction(tasksText.taskActions.removeFailed, () => api.tasks.forget(task))
}

/** Adds the tasks of the server's own list. Never rejects. */
export function listTasks(serverId: string): Promise<void> {
  return runAction(tasksText.taskActions.listFailed, () => api.tasks.list({ serverId }))
}
