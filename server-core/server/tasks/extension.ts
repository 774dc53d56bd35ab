import { TASKS_EXTENSION } from '../../protocol/extension-ids.ts'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Question } from '../../registry/invocation.ts'
import type {
  DetachedRun,
  DetachedEnd,
  Extension,
  ExtensionRequest,
  ExtensionSubscription,
} from '../extensions/extension.ts'
import { admitQuestions, embeddedQuestion, readAnswer } from '../questions.ts'
import type { Validators } from '../schemas/validators.ts'
import type { Task } from './task.ts'
import { TaskRun } from './task-run.ts'
import type { TaskStore } from './task-store.ts'

const NOTIFICATION = 'notifications/tasks'
/** Tasks that one subscription may name. */
const MOST_WATCHED = 1_000

export type TasksExtensionOptions = {
  readonly store: TaskStore
  readonly validators: Validators
  /** Whether there may be tools whose calls become tasks: only then is the extension declared. */
  readonly offered: () => boolean
}

/**
 * The Tasks extension for 2026-07-28 (`io.modelcontextprotocol/tasks`): calls of tools that say so are answered by a
 * task, which the client looks at, answers the questions of, and cancels.
 */
export function tasksExtension({ store, validators, offered }: TasksExtensionOptions): Extension {
  const named = ({ params, caller }: ExtensionRequest): Task => store.find(params['taskId'], caller)
  return {
    id: TASKS_EXTENSION,
    settings: () => (offered() ? {} : undefined),
    eras: ['modern'],
    resultTypes: ['task'],
    notifications: { [NOTIFICATION]: 'sent' },
    methods: {
      'tasks/get': { nameParameter: 'taskId', serve: (request) => detailedTask(named(request)) },
      'tasks/update': {
        nameParameter: 'taskId',
        serve: async (request) => {
          await takeAnswers(named(request), request.params['inputResponses'], validators)
          return {}
        },
      },
      'tasks/cancel': {
        nameParameter: 'taskId',
        serve: (request) => {
          named(request).cancel('cancelled by the client')
          return {}
        },
      },
    },
    listen: { taskIds: { open: (asked, request) => watch(store, asked, request) } },
    calls: {
      concerns: ({ task }) => task !== undefined,
      admit: ({ task }, { settings }) => {
        if (task === undefined) return 'leave'
        if (settings === undefined) {
          if (task.support === 'required') throw needsTasks(task.tool)
          return 'leave'
        }
        return task.start === 'by-handler' ? 'by-handler' : 'at-once'
      },
      take: ({ task: behaviour }, request, run, message) => {
        if (behaviour === undefined) return undefined
        // A plain call takes no room among the tasks.
        if (store.full && behaviour.support === 'optional') return undefined
        const task = store.create({
          owner: request.caller,
          ttlMs: behaviour.ttlMs,
          pollIntervalMs: behaviour.pollIntervalMs,
          message,
          stop: run.cancel,
        })
        return new DetachedTask(task, (questions) =>
          admitQuestions(questions, request.clientCapabilities, validators),
        )
      },
    },
  }
}

/** The run of a task's handler, as the core leads it. */
class DetachedTask extends TaskRun implements DetachedRun {
  readonly result: JsonObject
  readonly #task: Task

  constructor(task: Task, admit: (questions: readonly Question[]) => Promise<void>) {
    super(task, admit)
    this.#task = task
    this.result = { resultType: 'task', ...seedOf(task) }
  }

  ended(end: DetachedEnd): void {
    this.#task.end(end)
  }
}

function needsTasks(tool: string): ProtocolError {
  return new ProtocolError(
    ErrorCode.missingClientCapability,
    `Tool "${tool}" runs as a task only; declare ${TASKS_EXTENSION} in clientCapabilities.extensions`,
    { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
  )
}

function seedOf(task: Task): JsonObject {
  const { facts, message } = task
  return {
    taskId: facts.id,
    status: statusOf(task),
    ...(message === undefined ? {} : { statusMessage: message }),
    createdAt: task.createdAt.toISOString(),
    lastUpdatedAt: task.updatedAt.toISOString(),
    ttlMs: facts.ttlMs,
    pollIntervalMs: facts.pollIntervalMs,
  }
}

/** A task with what its status has to show: `tasks/get` and `notifications/tasks` give the same. */
function detailedTask(task: Task): JsonObject {
  const { state } = task
  const seed = seedOf(task)
  if (state.type === 'asking') {
    const requests = [...task.questions].map(([key, question]) => [key, embeddedQuestion(question)])
    return { ...seed, inputRequests: Object.fromEntries(requests) as JsonObject }
  }
  if (state.type !== 'ended') return seed
  const { outcome } = state
  if (outcome.type === 'result') return { ...seed, result: outcome.result }
  const { code, message, data } = outcome
  return { ...seed, error: { code, message, ...(data === undefined ? {} : { data }) } }
}

/** A tool that failed has completed: its result says so. Only an error that is an answer makes a failed task. */
function statusOf({ state }: Task): string {
  switch (state.type) {
    case 'working':
      return 'working'
    case 'asking':
      return 'input_required'
    case 'ended':
      return state.outcome.type === 'error' ? 'failed' : 'completed'
    case 'cancelled':
    case 'gone':
      return 'cancelled'
  }
}

/** Accepts valid answers; a question whose answer is invalid stays open. */
async function takeAnswers(task: Task, responses: unknown, validators: Validators): Promise<void> {
  if (!isJsonObject(responses)) {
    throw new ProtocolError(ErrorCode.invalidParams, 'tasks/update needs an object in params.inputResponses')
  }
  for (const [key, question] of task.questions) {
    if (!Object.hasOwn(responses, key)) continue
    const read = await readAnswer(question, responses[key], validators)
    if ('answer' in read) task.answer(key, read.answer)
  }
}

/** Notifies of every change of the named tasks that exist; the present status of each comes first. */
function watch(
  store: TaskStore,
  asked: unknown,
  request: ExtensionRequest,
): ExtensionSubscription | undefined {
  if (!Array.isArray(asked) || !asked.every((id) => typeof id === 'string')) {
    throw new ProtocolError(ErrorCode.invalidParams, 'notifications.taskIds takes an array of task ids')
  }
  if (asked.length > MOST_WATCHED) {
    const reason = `notifications.taskIds names ${asked.length} tasks; expected at most ${MOST_WATCHED}`
    throw new ProtocolError(ErrorCode.invalidParams, reason)
  }
  const tasks = [...new Set(asked)].flatMap((id) => known(store, id, request.caller))
  if (tasks.length === 0) return undefined
  const stops: (() => void)[] = []
  return {
    accepted: tasks.map(({ facts }) => facts.id),
    begin: () => {
      for (const task of tasks) {
        const announce = () => {
          if (task.state.type !== 'gone') request.notify(NOTIFICATION, detailedTask(task))
        }
        stops.push(task.onChange(announce))
        announce()
      }
    },
    end: () => {
      for (const stop of stops) stop()
    },
  }
}

function known(store: TaskStore, id: string, caller: string): readonly Task[] {
  try {
    return [store.find(id, caller)]
  } catch (error) {
    if (error instanceof ProtocolError) return []
    throw error
  }
}
