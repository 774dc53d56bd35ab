import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import { describeOutcome, type Outcome } from '../../probe/outcome.ts'
import type { FixtureKind, FixtureTool } from '../../probe/fixture-tools.ts'
import type { ProbeConnection } from '../../probe/connection.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { elapsed } from '../../probe/waits.ts'

/** Milliseconds between two looks at a task: checks ask more often than `pollInterval` says, but not without pause. */
const PAUSE_MS = 100
/** Most milliseconds until a task of a fixture must be over. */
const PATIENCE_MS = 30_000

export const TERMINAL: readonly unknown[] = ['completed', 'failed', 'cancelled']
export const LONG_TTL_MS = 60_000

/** A task that was created: its id, and the outcome that says so. */
export type Begun = { readonly taskId: string; readonly task: JsonObject; readonly outcome: Outcome }

/** The task in the answer to a call (2025-11-25). */
export function taskIn(outcome: Outcome): JsonObject | undefined {
  const task = outcome.type === 'result' ? outcome.result['task'] : undefined
  return isJsonObject(task) ? task : undefined
}

/** Ends the check unless tools may be called as tasks, and returns a tool of the kind. */
export function taskFixture(probe: ServerProbe, kind: FixtureKind): FixtureTool {
  probe.requireCapability('tasks.requests.tools.call')
  return probe.fixture(kind)
}

/** Calls a tool as a task, whatever becomes of it. */
export function callAsTask(
  connection: ProbeConnection,
  { name, arguments: args }: FixtureTool,
  task: JsonObject = { ttl: LONG_TTL_MS },
  more: JsonObject = {},
): Promise<Outcome> {
  return connection.call('tools/call', { name, arguments: args, task, ...more })
}

/** Creates a task; the check is inconclusive if there is none. */
export async function beginTask(
  probe: ServerProbe,
  connection: ProbeConnection,
  tool: FixtureTool,
  task?: JsonObject,
  more?: JsonObject,
): Promise<Begun> {
  const outcome = await callAsTask(connection, tool, task, more)
  const created = taskIn(outcome)
  const taskId = created?.['taskId']
  if (created === undefined || typeof taskId !== 'string')
    return probe.inconclusive(`${tool.name} did not become a task: ${describeOutcome(outcome)}`)
  return { taskId, task: created, outcome }
}

/** Asks for the state until it fits, and returns every outcome on the way; the last one fits unless time was over. */
export async function pollTask(
  connection: ProbeConnection,
  taskId: string,
  fits: (status: unknown) => boolean,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until;) {
    const outcome = await connection.call('tasks/get', { taskId })
    outcomes.push(outcome)
    if (outcome.type !== 'result' || fits(outcome.result['status'])) break
    await elapsed(PAUSE_MS)
  }
  return outcomes
}

export const isTerminal = (status: unknown): boolean => TERMINAL.includes(status)

/** Waits for the end of a task and returns its last state; the check is inconclusive if it does not end. */
export async function endOf(
  probe: ServerProbe,
  connection: ProbeConnection,
  taskId: string,
): Promise<Outcome> {
  const last = (await pollTask(connection, taskId, isTerminal)).at(-1)
  if (last?.type === 'result' && isTerminal(last.result['status'])) return last
  return probe.inconclusive(
    `the task did not end: ${last === undefined ? 'no answer' : describeOutcome(last)}`,
  )
}

/** The task that a message says it belongs to. */
export function relatedTask(holder: unknown): unknown {
  const meta = isJsonObject(holder) && isJsonObject(holder['_meta']) ? holder['_meta'] : {}
  const related = meta[MetaKey.relatedTask]
  return isJsonObject(related) ? related['taskId'] : undefined
}

/** A result without its metadata, to compare it. */
export function plainResult(result: JsonObject): JsonObject {
  const { _meta, ...rest } = result
  return rest
}

/** Whether an outcome is error -32602. */
export const isInvalidParams = (outcome: Outcome): boolean =>
  outcome.type === 'error' && outcome.code === -32602
