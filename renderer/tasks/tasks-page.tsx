import { useState } from 'react'
import type { Task } from '../../server-core/host/contract/tasks.ts'
import { isJsonObject } from '../../server-core/protocol/json.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Button, LinkButton } from '../controls/button.tsx'
import { classes } from '../controls/classes.ts'
import { EmptyState } from '../controls/empty-state.tsx'
import { StateMark } from '../controls/state-mark.tsx'
import rows from '../controls/rows.module.css'
import { useStaleClickGuard } from '../controls/use-stale-click-guard.ts'
import { useServer, useTasks } from '../host/live.ts'
import { counted, countText } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import { Outcome } from '../workbench/results/result-panel.tsx'
import { ServerPage } from '../workbench/server-page.tsx'
import { workOf } from '../workbench/work-store.ts'
import { cancelTask, forgetTask, listTasks } from './task-actions.ts'
import { isOver, taskLook } from './task-look.ts'
import { TaskOutcome } from './task-outcome.tsx'
import styles from './tasks.module.css'
import { secondText } from '../text/times.ts'
import { tasksText } from './text.ts'

/** The tasks of a server, and the result of the one that is chosen. */
export default function TasksPage({ serverId }: { serverId: string }) {
  const tasks = useTasks(serverId)
  const declared = useServer(serverId)?.capabilities?.['tasks']
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const selected = tasks.find(({ taskId }) => taskId === chosen) ?? tasks[0]
  const open = tasks.filter((task) => !isOver(task)).length
  const canList = isJsonObject(declared) && isJsonObject(declared['list'])
  return (
    <ServerPage
      serverId={serverId}
      title={tasksText.tasksPage.tasks}
      facts={
        tasks.length === 0
          ? undefined
          : tasksText.tasksPage.open(counted(tasks.length, 'task'), countText(open))
      }
      actions={
        canList && (
          <Button icon="undo" onClick={() => void listTasks(serverId)}>
            {tasksText.tasksPage.loadTheServersList}
          </Button>
        )
      }
    >
      {tasks.length === 0 ? (
        <EmptyState title={tasksText.tasksPage.noTasks}>{tasksText.tasksPage.emptyState}</EmptyState>
      ) : (
        <>
          <div className={styles.list}>
            <table className={rows.table}>
              <thead>
                <tr>
                  <th scope="col">{tasksText.tasksPage.status}</th>
                  <th scope="col">{tasksText.tasksPage.tool}</th>
                  <th scope="col">{tasksText.tasksPage.task}</th>
                  <th scope="col" className={rows.figure}>
                    {tasksText.tasksPage.asked}
                  </th>
                  <th scope="col">{tasksText.tasksPage.last}</th>
                  <th scope="col">
                    <span className="vh">{tasksText.tasksPage.actions}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {tasks.map((task) => (
                  <TaskRow
                    key={task.taskId}
                    serverId={serverId}
                    task={task}
                    isSelected={task === selected}
                    onSelect={() => setChosen(task.taskId)}
                  />
                ))}
              </tbody>
            </table>
          </div>
          {selected !== undefined && (
            <section className={styles.detail} aria-label={tasksText.tasksPage.taskResult}>
              <TaskOutcome key={selected.taskId} serverId={serverId} taskId={selected.taskId}>
                {(outcome) => (
                  <Outcome
                    work={workOf(`tasks of ${serverId}`, {}, 'call')}
                    outcome={outcome}
                    kind="tool"
                    serverId={serverId}
                  />
                )}
              </TaskOutcome>
            </section>
          )}
        </>
      )}
    </ServerPage>
  )
}

interface TaskRowProps {
  serverId: string
  task: Task
  isSelected: boolean
  onSelect: () => void
}

function TaskRow({ serverId, task, isSelected, onSelect }: TaskRowProps) {
  const { taskId, tool, polls, receivedAt, statusMessage } = task
  const name = visibleText(`${tool ?? 'task'} ${taskId}`)
  return (
    <tr className={classes(isSelected && styles.selected)} onClick={onSelect}>
      <td title={statusMessage === undefined ? undefined : visibleText(statusMessage)}>
        <StateMark look={taskLook(task)} className={rows.state} />
      </td>
      <td>
        <SafeText>{tool ?? '—'}</SafeText>
      </td>
      <td className={rows.wide} title={visibleText(taskId)}>
        <div className={`${rows.mono ?? ''} clip`}>
          <SafeText>{taskId}</SafeText>
        </div>
      </td>
      <td className={rows.figure}>{countText(polls)}</td>
      <td className={rows.mono}>{secondText(receivedAt)}</td>
      <td>
        <span className={rows.acts}>
          <LinkButton
            aria-label={tasksText.tasksPage.show(name)}
            aria-pressed={isSelected}
            onClick={onSelect}
          >
            {tasksText.tasksPage.showWord}
          </LinkButton>
          <TaskAction serverId={serverId} task={task} name={name} />
        </span>
      </td>
    </tr>
  )
}

/** Cancels a task, or forgets it once it is over. */
function TaskAction({ serverId, task, name }: { serverId: string; task: Task; name: string }) {
  const { taskId } = task
  const action = isOver(task) ? 'forget' : 'cancel'
  const { button } = useStaleClickGuard(action)
  return (
    <LinkButton
      aria-label={`${action === 'forget' ? 'Forget' : 'Cancel'} ${name}`}
      onClick={() => void (action === 'forget' ? forgetTask : cancelTask)({ serverId, taskId })}
      {...button}
    >
      {action}
    </LinkButton>
  )
}
