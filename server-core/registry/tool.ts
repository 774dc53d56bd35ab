import { headerParametersOf } from '../protocol/header-parameters.ts'
import type { JsonObject } from '../protocol/json.ts'
import { createContext } from './context.ts'
import { describedMembers, requireName } from './described.ts'
import type { ToolDefinition } from './definitions.ts'
import type { ToolEntry, ToolOutcome } from './entries.ts'
import { RegistryError } from './errors.ts'
import { isAnswerError, messageOf } from './handler-errors.ts'
import type { Invocation } from './invocation.ts'
import { prepareInput, prepareOutput, type PreparedSchema } from './schema.ts'
import { drainStream, isAsyncIterable } from './stream.ts'
import { errorOutcome, toToolOutcome } from './tool-result.ts'

const DEFAULT_TIMEOUT_MS = 60_000

/** A tool's definition as the registry keeps it, whatever the types of its schemas. */
export type AnyToolDefinition = Omit<ToolDefinition, 'run'> & {
  run(args: never, ctx: ReturnType<typeof createContext>): unknown
}

export type PreparedTool = {
  readonly definition: AnyToolDefinition
  readonly input: PreparedSchema
  readonly output: PreparedSchema | undefined
}

/** Checks a definition and prepares its schemas. Throws a `RegistryError` that says what is wrong. */
export function prepareTool(definition: AnyToolDefinition): PreparedTool {
  const { name, input, output, timeout = DEFAULT_TIMEOUT_MS } = definition
  requireName('tool', name)
  if (!Number.isFinite(timeout) || timeout <= 0) {
    const message = `The timeout of tool "${name}" is ${timeout}; expected milliseconds above zero.`
    throw new RegistryError('invalid-definition', message)
  }
  checkTask(definition)
  const preparedInput = prepareInput(input, name)
  const mirrored = headerParametersOf(preparedInput.wire)
  if (!mirrored.ok) {
    throw new RegistryError('invalid-definition', `The input of tool "${name}": ${mirrored.reason}.`)
  }
  return {
    definition,
    input: preparedInput,
    output: output === undefined ? undefined : prepareOutput(output, name),
  }
}

function checkTask({ name, taskSupport = 'forbidden', task }: AnyToolDefinition): void {
  if (task === undefined) return
  if (taskSupport === 'forbidden') {
    const message = `Tool "${name}" says how its calls become tasks, but not that they may: set taskSupport too.`
    throw new RegistryError('invalid-definition', message)
  }
  for (const member of ['ttlMs', 'pollIntervalMs'] as const) {
    const value = task[member]
    if (value === undefined || (Number.isSafeInteger(value) && value > 0)) continue
    const message = `task.${member} of tool "${name}" is ${value}; expected whole milliseconds above zero.`
    throw new RegistryError('invalid-definition', message)
  }
}

/** The entry of a tool; `current` gives the definition of the moment, so that a new handler needs no new entry. */
export function toolEntry(prepared: PreparedTool, current: () => PreparedTool): ToolEntry {
  const { definition, input, output } = prepared
  const { name, annotations, taskSupport, task } = definition
  return {
    name,
    ...describedMembers(definition),
    inputSchema: input.wire,
    ...(output === undefined ? {} : { outputSchema: output.wire }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(taskSupport === undefined ? {} : { taskSupport }),
    ...(task === undefined ? {} : { task }),
    timeoutMs: definition.timeout ?? DEFAULT_TIMEOUT_MS,
    reentrant: definition.reentrant ?? false,
    invoke: (args, invocation) => runTool(current(), args, invocation),
  }
}

async function runTool(tool: PreparedTool, args: JsonObject, invocation: Invocation): Promise<ToolOutcome> {
  const { definition, input, output } = tool
  try {
    let value: unknown = args
    if (input.parse !== undefined) {
      const parsed = await input.parse(args)
      if (!parsed.ok)
        return errorOutcome(`The arguments of ${definition.name} are not valid: ${parsed.problem}`)
      value = parsed.value
    }
    let result: unknown = await definition.run(value as never, createContext(invocation))
    if (isAsyncIterable(result)) result = await drainStream(result, definition.accumulate, invocation)
    return await toToolOutcome(result, output)
  } catch (error) {
    if (isAnswerError(error)) throw error
    return errorOutcome(messageOf(error))
  }
}
