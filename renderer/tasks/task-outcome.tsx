import { useQuery } from '@tanstack/react-query'
import { type ReactNode } from 'react'
import type { RequestOutcome } from '../../server-core/host/contract/inspect.ts'
import type { Task } from '../../server-core/host/contract/tasks.ts'
import { durationText } from '../../server-core/protocol/duration-text.ts'
import { showInbox } from '../app/inbox-shown.ts'
import { Button } from '../controls/button.tsx'
import { StateMark } from '../controls/state-mark.tsx'
import { query } from '../host/api.ts'
import { useTask } from '../host/live.ts'
import { counted } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import { cancelTask, refreshTask } from './task-actions.ts'
import { isOver, taskLook } from './task-look.ts'
import styles from './tasks.module.css'
import { secondText } from '../text/times.ts'
import { tasksText } from './text.ts'

interface TaskOutcomeProps {
  serverId: string
  taskId: string
  /** Draws the result. */
  children: (outcome: RequestOutcome) => ReactNode
}

/** One task: how it stands, and once it is over the result. */
export function TaskOutcome({ serverId, taskId, children }: TaskOutcomeProps) {
  const task = useTask(serverId, taskId)
  const outcome = useQuery({
    ...query.tasks.outcome.queryOptions({ input: { serverId, taskId } }),
    enabled: task?.hasOutcome === true,
    gcTime: 0,
  })
  if (task === undefined) return <p className={styles.note}>{tasksText.taskOutcome.removed}</p>
  return (
    <>
      <TaskBar serverId={serverId} task={task} />
      {task.problem !== undefined && (
        <p className={`${styles.note ?? ''} is-warn`}>
          <SafeText>{task.problem}</SafeText>
        </p>
      )}
      {outcome.error !== null && <p className={`${styles.note ?? ''} is-error`}>{outcome.error.message}</p>}
      {outcome.data !== undefined && children(outcome.data)}
      {!isOver(task) && task.status !== 'input_required' && (
        <p className={styles.note}>{tasksText.taskOutcome.pending}</p>
      )}
    </>
  )
}

function TaskBar({ serverId, task }: { serverId: string; task: Task }) {
  const { taskId, statusMessage, polls, receivedAt, pollIntervalMs } = task
  return (
    <div className={styles.bar} role="group" aria-label={tasksText.taskOutcome.task}>
      <StateMark look={taskLook(task)} className={styles.state} isLive />
      <span className="mono clip" title={taskId}>
        <SafeText>{taskId}</SafeText>
      </span>
      {statusMessage !== undefined && (
        <span className="clip">
          <SafeText>{statusMessage}</SafeText>
        </span>
      )}
      <span className={`${styles.facts ?? ''} t3`}>
        {tasksText.taskOutcome.asked} {counted(polls, 'time')}
        {pollIntervalMs !== undefined && tasksText.taskOutcome.every(durationText(pollIntervalMs))}
        {tasksText.taskOutcome.last} {secondText(receivedAt)}
      </span>
      {task.status === 'input_required' && (
        <Button icon="inbox" onClick={showInbox}>
          {tasksText.taskOutcome.answerInTheInbox}
        </Button>
      )}
      {!isOver(task) && (
        <>
          {!task.isFollowed && (
            <Button icon="restart" onClick={() => void refreshTask({ serverId, taskId })}>
              {tasksText.taskOutcome.pollNow}
            </Button>
          )}
          <Button icon="stop" onClick={() => void cancelTask({ serverId, taskId })}>
            {tasksText.taskOutcome.cancelTask}
          </Button>
        </>
      )}
    </div>
  )
}
