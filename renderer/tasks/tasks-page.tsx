import { useState } from 'react'
import type { Task } from '../../server-core/host/contract/tasks.ts'
import { isJsonObject } from '../../server-core/protocol/json.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Button, LinkButton } from '../controls/button.tsx'
import { classes } from '../controls/classes.ts'
import { EmptyState } from '../controls/empty-state.tsx'
import { Icon } from '../controls/icon.tsx'
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

/** The tasks of a server, and what came of the one that is chosen. */
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
      title="Tasks"
      facts={tasks.length === 0 ? undefined : `${counted(tasks.length, 'task')}, ${countText(open)} open`}
      actions={
        canList && (
          <Button icon="undo" onClick={() => void listTasks(serverId)}>
            Ask for the server’s list
          </Button>
        )
      }
    >
      {tasks.length === 0 ? (
        <EmptyState title="No call has become a task">
          Run a tool as a task, or one that its server turns into a task: it is followed here until it is
          over, and what it asks comes to the inbox.
        </EmptyState>
      ) : (
        <>
          <div className={styles.list}>
            <table className={rows.table}>
              <thead>
                <tr>
                  <th scope="col">status</th>
                  <th scope="col">tool</th>
                  <th scope="col">task</th>
                  <th scope="col" className={rows.figure}>
                    asked
                  </th>
                  <th scope="col">last</th>
                  <th scope="col">
                    <span className="vh">actions</span>
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
            <section className={styles.detail} aria-label="Task result">
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
  const { taskId, tool, polls, heardAt, statusMessage } = task
  const look = taskLook(task)
  const name = visibleText(`${tool ?? 'task'} ${taskId}`)
  return (
    <tr className={classes(isSelected && styles.selected)} onClick={onSelect}>
      <td title={statusMessage === undefined ? undefined : visibleText(statusMessage)}>
        <span className={`${rows.state ?? ''} ${look.tone}`}>
          <Icon name={look.icon} />
          {look.word}
        </span>
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
      <td className={rows.mono}>{secondText(heardAt)}</td>
      <td>
        <span className={rows.acts}>
          <LinkButton aria-label={`Show ${name}`} aria-pressed={isSelected} onClick={onSelect}>
            show
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
