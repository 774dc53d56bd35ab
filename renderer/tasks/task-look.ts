import type { Task } from '../../server-core/host/contract/tasks.ts'
import type { StateLook } from '../controls/state-mark.tsx'
import { tasksText } from './text.ts'

/** How a status is told apart: a shape and a word, the colour only repeats them. */
export function taskLook({ status }: Pick<Task, 'status'>): StateLook {
  switch (status) {
    case 'working':
      return { icon: 'st-busy', tone: 't2', word: tasksText.taskLook.working }
    case 'input_required':
      return { icon: 'st-ask', tone: 'is-warn', word: tasksText.taskLook.inputRequired }
    case 'completed':
      return { icon: 'check', tone: 'is-ok', word: tasksText.taskLook.completed }
    case 'failed':
      return { icon: 'st-fail', tone: 'is-error', word: tasksText.taskLook.failed }
    case 'cancelled':
      return { icon: 'close', tone: 't3', word: tasksText.taskLook.cancelled }
  }
}

/** Whether nothing changes any more. */
export function isOver({ status }: Pick<Task, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled'
}
