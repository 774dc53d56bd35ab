import { TASKS_EXTENSION } from '../../protocol/extension-ids.ts'
import { declares } from '../../client/declaration.ts'
import { PeerError, RequestFailedError } from '../../client/errors.ts'
import type { RequestOptions } from '../../client/request-options.ts'
import { beginRounds, openQuestions, withAnswer, type Rounds } from '../../client/rounds/rounds.ts'
import { TaskHandle } from '../../client/tasks/task-handle.ts'
import { readTask } from '../../client/tasks/task-state.ts'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import { revisionRow } from '../../protocol/revisions.ts'
import { isLogLevel } from '../../protocol/log-level.ts'
import { InputUnavailableError, type Invocation, type Question } from '../../registry/invocation.ts'
import type { UpstreamConnection } from './upstream-connection.ts'

/** A request of a client in front, as it goes to the server behind. */
export type Forwarded = {
  readonly method: string
  readonly params: JsonObject
  /** The tool can only be called as a task (2025-11-25). */
  readonly asTask?: boolean
}

/** What describes a message on one side alone. */
const OF_ONE_SIDE: ReadonlySet<string> = new Set(['progressToken', ...Object.values(MetaKey)])

/**
 * Sends a client's request over a line and gives the result. Progress, questions and cancellation go on from one side
 * to the other; ids and tokens are recreated on each. Throws the server's own error as it is, and a `ProtocolError` that
 * has the reason where there is none.
 */
export async function forward(
  line: UpstreamConnection,
  request: Forwarded,
  invocation: Invocation,
): Promise<JsonObject> {
  try {
    return await sent(line, request, invocation)
  } catch (error) {
    // The error of a server has bytes; to the client in front it is an error like any other.
    if (error instanceof PeerError) throw peersError(error, invocation)
    if (error instanceof RequestFailedError) {
      throw new ProtocolError(
        ErrorCode.internalError,
        `The server behind the proxy did not answer: ${error.message}`,
      )
    }
    throw error
  }
}

function peersError({ code, message, data }: PeerError, { facts }: Invocation): Error {
  const needed = isJsonObject(data) ? data['requiredCapabilities'] : undefined
  const isModern = revisionRow(facts.revision)?.era === 'modern'
  // It was asked in the client's own words, so it is the client that lacks something, and HTTP says so by a status.
  if (isModern && code === ErrorCode.missingClientCapability && isJsonObject(needed))
    return new InputUnavailableError(message, needed)
  return new ProtocolError(code, message, data)
}

async function sent(
  line: UpstreamConnection,
  request: Forwarded,
  invocation: Invocation,
): Promise<JsonObject> {
  const { connection } = line
  const { method, asTask = false } = request
  const options = optionsOf(invocation)
  const params = { ...request.params, ...metaOf(invocation), ...(asTask ? { task: {} } : {}) }
  if (connection.era === 'legacy' && !knowsRequiredUrls(invocation)) {
    // That its user has to go somewhere first, such a client can only be asked.
    const { result } = await connection.request(method, params, options)
    return taskEnd(line, asTask, result, invocation)
  }
  let rounds = beginRounds(method, params)
  for (;;) {
    const outcome = await connection.sendRound(rounds, { ...options, rounds: 'manual' })
    if (outcome.type === 'complete') return taskEnd(line, asTask, outcome.result, invocation)
    rounds = await answered(outcome.rounds, invocation)
  }
}

function optionsOf(invocation: Invocation): RequestOptions {
  const { facts, signal } = invocation
  const level = facts.meta[MetaKey.logLevel]
  return {
    signal,
    // How long it may take is for the client in front to say: it cancels.
    timeoutMs: Infinity,
    maximumMs: Infinity,
    ...(isLogLevel(level) ? { logLevel: level } : {}),
    ...(facts.meta['progressToken'] === undefined
      ? {}
      : { onProgress: (progress) => invocation.emit({ type: 'progress', ...progress }) }),
  }
}

/** The members of the client's own `_meta` that nobody here knows. */
function metaOf({ facts }: Invocation): { readonly _meta?: JsonObject } {
  const others = Object.entries(facts.meta).filter(([key]) => !OF_ONE_SIDE.has(key))
  return others.length === 0 ? {} : { _meta: Object.fromEntries(others) }
}

function knowsRequiredUrls({ facts }: Invocation): boolean {
  return revisionRow(facts.revision)?.errorCodes.includes(ErrorCode.urlElicitationRequired) === true
}

async function answered(rounds: Rounds, invocation: Invocation): Promise<Rounds> {
  const questions = openQuestions(rounds).map(([key, question]): Question => ({ key, ...question }))
  if (questions.length === 0) return rounds
  let now = rounds
  for (const [key, answer] of Object.entries(await invocation.ask(questions)))
    now = withAnswer(now, key, answer)
  return now
}

/** Where the server went on with the call as a task, the end of that; the call in front may become one too. */
async function taskEnd(
  { connection }: UpstreamConnection,
  asTask: boolean,
  result: JsonObject,
  invocation: Invocation,
): Promise<JsonObject> {
  const kind = connection.era === 'modern' ? 'extension' : 'core'
  const isTask = kind === 'core' ? asTask && isJsonObject(result['task']) : result['resultType'] === 'task'
  if (!isTask) return result
  const read = readTask(kind, kind === 'core' ? result['task'] : result)
  if (!read.ok) throw new RequestFailedError('invalid-answer', read.reason)
  const state = read.value
  const handle = new TaskHandle(connection, { kind, taskId: state.taskId }, state)
  const { statusMessage: message } = state
  invocation.emit({ type: 'task', ...(message === undefined ? {} : { message }) })
  const { signal } = invocation
  const failed = new AbortController()
  const asking = new Set<string>()
  const stopAsking = handle.onState(() => {
    for (const [key, { method, params }] of handle.questions) {
      if (asking.has(key)) continue
      asking.add(key)
      invocation
        .ask([{ key, method, params }])
        .then((answers) => handle.answer(answers, signal))
        .catch((error: unknown) => failed.abort(error))
    }
  })
  const cancel = () => {
    // Whether it stops is for its server to say; nobody waits for it any more.
    handle.cancel().catch(() => undefined)
  }
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const questions = kind === 'core' ? 'auto' : 'manual'
    return (await handle.result({ signal: AbortSignal.any([signal, failed.signal]), questions })).result
  } catch (error) {
    throw failed.signal.aborted ? failed.signal.reason : error
  } finally {
    stopAsking()
    signal.removeEventListener('abort', cancel)
  }
}

/** Whether the server runs calls of tools as tasks where it wants to, or where it is asked to. */
export function runsTasks({ connection }: UpstreamConnection): 'by-itself' | 'when-asked' | 'never' {
  const { capabilities, revision } = connection
  if (connection.era === 'modern')
    return declares(capabilities, 'extensions', TASKS_EXTENSION) ? 'by-itself' : 'never'
  const asked = declares(capabilities, 'tasks', 'requests', 'tools', 'call')
  return asked && revisionRow(revision)?.tasks === 'core' ? 'when-asked' : 'never'
}
