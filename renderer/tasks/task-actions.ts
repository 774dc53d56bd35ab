import { showFailure } from '../controls/toast.tsx'
import { api } from '../host/api.ts'

type Named = { readonly serverId: string; readonly taskId: string }

/** What was asked for and did not happen is told; what happened is seen in the task's state. */
async function runAction(title: string, action: () => Promise<unknown>): Promise<void> {
  try {
    await action()
  } catch (error) {
    showFailure(title, error)
  }
}

/** Asks the server to stop a task. Never rejects. */
export function cancelTask(task: Named): Promise<void> {
  return runAction('The task was not cancelled', () => api.tasks.cancel(task))
}

/** Asks where a task stands. Never rejects. */
export function refreshTask(task: Named): Promise<void> {
  return runAction('Where the task stands is not known', () => api.tasks.refresh(task))
}

/** Takes a task off the list. Never rejects. */
export function forgetTask(task: Named): Promise<void> {
  return runAction('The task is still on the list', () => api.tasks.forget(task))
}

/** Takes in what the server's own list tells. Never rejects. */
export function listTasks(serverId: string): Promise<void> {
  return runAction('The server’s list was not read', () => api.tasks.list({ serverId }))
}
