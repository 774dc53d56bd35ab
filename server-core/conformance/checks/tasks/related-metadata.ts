import { isJsonObject } from '../../../protocol/json.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import { passiveCheck } from '../../check.ts'
import type { SeenMessage, Transcript } from '../../passive/transcript.ts'
import { shortJson } from '../../probe/outcome.ts'
import { relatedTask } from './task-calls.ts'

/** Requests whose results name their task by themselves. */
const WITHOUT = ['tasks/get', 'tasks/list', 'tasks/cancel']

const methodOf = (seen: SeenMessage | undefined): unknown => seen?.message['method']
const paramsOf = ({ message: { params } }: SeenMessage) => (isJsonObject(params) ? params : {})

function missing(transcript: Transcript, { frame, pointer }: SeenMessage, holder: string, found: unknown) {
  transcript.fail({
    expected: `_meta with ${MetaKey.relatedTask} that names the task`,
    actual: shortJson(found),
    member: `${pointer}/${holder}/_meta`,
    statement: 'tasks.related-meta',
    frame,
  })
}

function superfluous(transcript: Transcript, seen: SeenMessage, holder: string, statement: string) {
  transcript.warn({
    expected: `no ${MetaKey.relatedTask}: the message names its task itself`,
    actual: 'the key',
    member: `${seen.pointer}/${holder}/_meta`,
    statement,
    frame: seen.frame,
  })
}

export const serverMetadata = passiveCheck(
  'tasks.server.meta',
  (transcript) => {
    const tokens = tokensOfTasks(transcript)
    const isToken = (seen: SeenMessage) =>
      methodOf(seen) === 'notifications/progress' &&
      tokens.has(tokenKey(seen, paramsOf(seen)['progressToken']))
    const isAnswer = (seen: SeenMessage) =>
      ['tasks/result', ...WITHOUT].includes(String(methodOf(seen.answers))) &&
      isJsonObject(seen.message['result'])
    for (const seen of transcript.examined(
      (each) => isAnswer(each) || isToken(each) || methodOf(each) === 'notifications/tasks/status',
    )) {
      const { message, answers } = seen
      if (answers !== undefined) {
        const related = relatedTask(message['result'])
        const asked = paramsOf(answers)['taskId']
        if (methodOf(answers) === 'tasks/result') {
          if (related !== asked) missing(transcript, seen, 'result', related)
        } else if (related !== undefined) {
          superfluous(transcript, seen, 'result', 'tasks.related-meta-not-on-get')
        }
        continue
      }
      const related = relatedTask(message['params'])
      if (methodOf(seen) === 'notifications/tasks/status') {
        if (related !== undefined) superfluous(transcript, seen, 'params', 'tasks.status-notice-no-meta')
        continue
      }
      const task = tokens.get(tokenKey(seen, paramsOf(seen)['progressToken']))
      if (related !== task) missing(transcript, seen, 'params', related)
    }
  },
  { title: 'Messages of a task name it' },
)

const tokenKey = ({ frame }: SeenMessage, token: unknown): string =>
  `${frame.connection.number} ${JSON.stringify(token)}`

/** The tasks by the progress tokens of the calls that created them; tokens of other calls are left out. */
function tokensOfTasks({ messages }: Transcript): ReadonlyMap<string, unknown> {
  const tokens = new Map<string, unknown>()
  for (const { message, answers } of messages) {
    const task = isJsonObject(message['result']) ? message['result']['task'] : undefined
    if (answers === undefined || !isJsonObject(task)) continue
    const meta = paramsOf(answers)['_meta']
    const token = isJsonObject(meta) ? meta['progressToken'] : undefined
    if (token !== undefined) tokens.set(tokenKey(answers, token), task['taskId'])
  }
  return tokens
}

export const clientMetadata = passiveCheck(
  'tasks.client.meta',
  (transcript) => {
    const asksForTask = (seen: SeenMessage) =>
      seen.from === 'server' && relatedTask(seen.message['params']) !== undefined
    for (const seen of transcript.examined(
      (each) =>
        (each.answers !== undefined && asksForTask(each.answers) && isJsonObject(each.message['result'])) ||
        WITHOUT.includes(String(methodOf(each))),
    )) {
      const { message, answers } = seen
      if (answers === undefined) {
        if (relatedTask(message['params']) !== undefined)
          superfluous(transcript, seen, 'params', 'tasks.related-meta-not-on-get')
        continue
      }
      const wanted = relatedTask(answers.message['params'])
      const related = relatedTask(message['result'])
      if (related !== wanted) missing(transcript, seen, 'result', related)
    }
  },
  { title: 'Answers to the questions of a task name it' },
)
