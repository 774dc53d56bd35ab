import type { Connection } from '../../client/connect.ts'
import type { RequestResult } from '../../client/connection.ts'
import type { OutputCheck } from '../../client/output-check.ts'
import { callTool, checkOutput } from '../../client/requests/call-tool.ts'
import type { TaskHandle } from '../../client/tasks/task-handle.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { ClientCommand } from './client-command.ts'
import { describeResult } from '../output/describe.ts'
import { ExitCode } from '../output/exit-code.ts'
import { unknownNameHint, withNameHint } from './known-names.ts'
import { isForPerson, writeNote, writeStderr, writeJson, writeText } from '../output/output.ts'
import { useServer } from '../connection/server-session.ts'
import { argumentNamesHint, checkArgumentNames } from './argument-names.ts'
import { readArguments, typedArguments } from './arguments.ts'
import { exactResult } from './exact-result.ts'
import { progressOutput, writeProgress } from './progress-output.ts'

type CallCommand = Extract<ClientCommand, { type: 'call' }>

/** `patchbay call`: calls one tool and prints its result, an error result included. */
export async function call(command: CallCommand, signal: AbortSignal): Promise<ExitCode> {
  const { tool, task = false } = command
  const given = await readArguments(command.argumentsText)
  const { result, hint } = await useServer(
    command,
    signal,
    async (connection) => {
      const args = await completeArguments(connection, command, given, signal)
      const answer = await withNameHint(connection, 'tools', tool, () =>
        resultOf(connection, { name: tool, arguments: args }, task, signal),
      )
      const result = exactResult(answer)
      reportDifference(tool, answer.outputCheck)
      const hint = isError(result) ? await errorHint(connection, tool, args, signal) : undefined
      return { result, hint }
    },
    { listeners: progressOutput(command), tasks: task },
  )
  if (isForPerson(command.json)) await writeText(describeResult(result))
  else await writeJson(result)
  if (!isError(result)) return ExitCode.ok
  writeStderr(`patchbay: ${tool} returned an error${hint === undefined ? '' : `\n${hint}`}`)
  return ExitCode.toolError
}

/** Those that were named one by one are typed by the tool's schema, which only its list has. */
async function completeArguments(
  connection: Connection,
  { tool, named }: CallCommand,
  given: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject> {
  if (named.length === 0) return given
  // The server says itself that it has no such tool.
  const schema = await inputSchemaOf(connection, tool, signal)
  const names = named.map(({ name }) => name)
  if (schema !== undefined) {
    const all = [...names, ...Object.keys(given)]
    for (const warning of checkArgumentNames(names, all, { what: 'tool', schema }))
      writeNote(`patchbay: ${warning}`)
  }
  return { ...given, ...typedArguments(named, schema) }
}

async function inputSchemaOf(
  connection: Connection,
  tool: string,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const { items } = await connection.listTools({ signal })
  const schema = items.find(({ name }) => name === tool)?.['inputSchema']
  return isJsonObject(schema) ? schema : undefined
}

/** The hint for an error result: many servers return one for a misspelt tool or argument. */
async function errorHint(
  connection: Connection,
  tool: string,
  args: JsonObject,
  signal: AbortSignal,
): Promise<string | undefined> {
  const unknown = await unknownNameHint(connection, 'tools', tool)
  if (unknown !== undefined) return unknown
  try {
    const schema = await inputSchemaOf(connection, tool, signal)
    return schema === undefined ? undefined : argumentNamesHint(args, schema)
  } catch {
    // The user needs the error result; an error of the list would add nothing.
    return undefined
  }
}

type Checked = RequestResult & { readonly outputCheck: OutputCheck }

async function resultOf(
  connection: Connection,
  toolCall: { readonly name: string; readonly arguments: JsonObject },
  wantsTask: boolean,
  signal: AbortSignal,
): Promise<Checked> {
  const outcome = await callTool(connection, toolCall, {
    signal,
    onProgress: writeProgress,
    ...(wantsTask && { task: {} }),
  })
  if (outcome.type === 'task') {
    const end = await endOf(outcome.task, signal)
    return { ...end, outputCheck: await checkOutput(connection, toolCall.name, end.result) }
  }
  if (wantsTask) writeNote('patchbay: the server did not run it as a task; this is the result of the call')
  return outcome
}

/** Follows a task to its end. A signal cancels it at the server too. */
async function endOf(task: TaskHandle, signal: AbortSignal): Promise<RequestResult> {
  writeNote(`task ${task.reference.taskId}: ${task.state?.status ?? 'working'}`)
  let told = task.state?.status
  task.onState(({ status, statusMessage }) => {
    if (status !== told)
      writeNote(`task: ${status}${statusMessage === undefined ? '' : ` (${statusMessage})`}`)
    told = status
  })
  try {
    return await task.result({ signal })
  } catch (error) {
    if (signal.aborted) await cancel(task)
    throw error
  }
}

async function cancel(task: TaskHandle): Promise<void> {
  try {
    await task.cancel(AbortSignal.timeout(2_000))
    writeStderr('the task was cancelled')
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const reason = error instanceof ProtocolError ? ` (${error.message})` : ''
    writeStderr(`patchbay: the server did not cancel the task${reason}`)
  }
}

/** A result that breaks the tool's own output schema is shown, and the difference told; it is not a failure. */
function reportDifference(tool: string, check: OutputCheck): void {
  if (check.state !== 'differs') return
  const told = check.findings.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  writeStderr(`patchbay: the result breaks the output schema of ${tool}: ${told.join('; ')}`)
}

function isError(result: JsonObject): boolean {
  return result['isError'] === true
}
