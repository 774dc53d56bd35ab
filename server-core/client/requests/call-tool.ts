import type { Parsed } from '../../protocol/parsed.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { revisionRow } from '../../protocol/revisions.ts'
import type { Connection, RequestOptions, RequestResult } from '../connection.ts'
import { declares } from '../declaration.ts'
import { RequestFailedError } from '../errors.ts'
import { OutputChecker, type OutputCheck } from '../output-check.ts'
import { TaskHandle } from '../tasks/task-handle.ts'
import { readTask } from '../tasks/task-state.ts'

/** The name of a tool and its arguments. */
export type ToolCall = { readonly name: string; readonly arguments?: JsonObject }

/** Options of one call of a tool. */
export type CallOptions = RequestOptions & {
  /**
   * Asks for a task where the server's are of 2025-11-25, to be kept so long; `never` asks for none. Unless told, a task
   * is asked for where the tool says that it must be one. From 2026-07-28 on the server decides by itself.
   */
  readonly task?: { readonly ttlMs?: number } | 'never'
}

/** The outcome of a call: a result, or a task that goes on. */
export type CallOutcome =
  | (RequestResult & {
      readonly type: 'result'
      /** How the structured result stands to the tool's output schema; a difference is not a failure. */
      readonly outputCheck: OutputCheck
    })
  /** The call goes on as a task. */
  | { readonly type: 'task'; readonly task: TaskHandle; readonly bytes: Uint8Array }

const checker = new OutputChecker()

/**
 * Calls a tool (`tools/call`). Throws as `Connection.request` does; a tool that fails is a result with `isError`. The
 * output is checked where the tools were listed before.
 *
 * @example
 * ```ts
 * import { connectTo, callTool } from 'patchbay/client'
 *
 * const connection = await connectTo(
 *   { transport: 'stdio', command: 'node', args: ['server.js'] },
 *   { identity: { name: 'my-client', version: '1.0.0' } },
 * )
 * const outcome = await callTool(connection, { name: 'add', arguments: { a: 1, b: 2 } })
 * if (outcome.type === 'result') console.log(outcome.result)
 * await connection.close()
 * ```
 */
export async function callTool(
  connection: Connection,
  call: ToolCall,
  options: CallOptions = {},
): Promise<CallOutcome> {
  const { task: wanted, ...requestOptions } = options
  const task = taskParameter(connection, call.name, wanted)
  const { name, arguments: args } = call
  const params = { name, ...(args === undefined ? {} : { arguments: args }), ...(task && { task }) }
  const answer = await connection.request('tools/call', params, requestOptions)
  const { result, bytes } = answer
  const started = startedTask(connection, task !== undefined, result)
  if (started !== undefined) {
    if (!started.ok) throw new RequestFailedError('invalid-answer', started.reason, { bytes })
    return { type: 'task', task: started.value, bytes }
  }
  return { type: 'result', ...answer, outputCheck: await checkOutput(connection, name, result) }
}

/**
 * How a tool's result stands to the output schema in the newest list of tools. Never throws.
 *
 * @example
 * ```ts
 * import { connectTo, callTool, checkOutput } from 'patchbay/client'
 *
 * const connection = await connectTo(
 *   { transport: 'stdio', command: 'node', args: ['server.js'] },
 *   { identity: { name: 'my-client', version: '1.0.0' } },
 * )
 * await connection.listTools()
 * const outcome = await callTool(connection, { name: 'add', arguments: { a: 1, b: 2 } })
 * if (outcome.type === 'result') console.log((await checkOutput(connection, 'add', outcome.result)).state)
 * await connection.close()
 * ```
 */
export function checkOutput(connection: Connection, tool: string, result: JsonObject): Promise<OutputCheck> {
  if (connection.toolsAreKnown) return checker.check(connection.knownTool(tool)?.outputSchema, result)
  return Promise.resolve({ state: 'not-checked', reason: 'The list of tools was not read yet.' })
}

/** A receiver that does not declare tasks would answer normally; it is not asked at all. */
function taskParameter(
  connection: Connection,
  tool: string,
  wanted: CallOptions['task'],
): { ttl?: number } | undefined {
  const row = revisionRow(connection.revision)
  if (row?.tasks !== 'core' || wanted === 'never') return undefined
  if (!declares(connection.capabilities, 'tasks', 'requests', 'tools', 'call')) return undefined
  if (wanted !== undefined) return wanted.ttlMs === undefined ? {} : { ttl: wanted.ttlMs }
  return connection.knownTool(tool)?.taskSupport === 'required' ? {} : undefined
}

function startedTask(
  connection: Connection,
  isAsked: boolean,
  result: JsonObject,
): Parsed<TaskHandle> | undefined {
  const kind = connection.era === 'modern' ? 'extension' : 'core'
  const isTask = kind === 'core' ? isAsked && isJsonObject(result['task']) : result['resultType'] === 'task'
  if (!isTask) return undefined
  const state = readTask(kind, kind === 'core' ? result['task'] : result)
  if (!state.ok) return state
  const { taskId } = state.value
  return { ok: true, value: new TaskHandle(connection, { kind, taskId }, state.value) }
}
