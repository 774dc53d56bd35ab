import { headerParametersOf } from '../protocol/header-parameters.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Parsed } from '../protocol/parsed.ts'
import { createContext, type HandlerContext } from './context.ts'
import { describedMembers, requireDescribed } from './described.ts'
import { describedSchema } from './described-schema.ts'
import type { ToolDefinition } from './definitions.ts'
import type { ToolEntry, ToolOutcome } from './entries.ts'
import { RegistryError } from './errors.ts'
import type { HandlerPipeline, Handler } from './handler-pipeline.ts'
import { ArgumentsError, isAnswerError, handlerErrorText } from './handler-errors.ts'
import type { Middleware } from './middleware.ts'
import type { Invocation } from './invocation.ts'
import { checkValue, prepareInput, prepareOutput, type PreparedSchema, type SchemaInput } from './schema.ts'
import { drainStream, isAsyncIterable } from './stream.ts'
import { errorOutcome, toToolOutcome } from './tool-result.ts'

const DEFAULT_TIMEOUT_MS = 60_000
const TASK_SUPPORT: ReadonlySet<string> = new Set(['forbidden', 'optional', 'required'])
const VALIDATION: ReadonlySet<string> = new Set(['server', 'handler'])
const NO_TAGS: readonly string[] = Object.freeze([])

/** A tool's definition as the registry keeps it, whatever the types of its schemas and of the lifespan. */
export type AnyToolDefinition = Omit<ToolDefinition, 'run' | keyof Middleware> &
  Middleware<never> & { run(args: never, ctx: never): unknown }

export type PreparedTool = {
  readonly definition: AnyToolDefinition
  readonly input: PreparedSchema
  readonly output: PreparedSchema | undefined
  readonly frame: HandlerPipeline
  readonly handler: Handler
}

/** Checks a definition and prepares its schemas. Throws a `RegistryError` that says what is wrong. */
export function prepareTool(
  definition: AnyToolDefinition,
  frameOf: (own: Middleware<never>) => HandlerPipeline,
): PreparedTool {
  const { name, input, output, timeout = DEFAULT_TIMEOUT_MS, validation = 'server' } = definition
  requireDescribed('tool', definition)
  if (!Number.isFinite(timeout) || timeout <= 0) {
    const message = `The timeout of tool "${name}" is ${timeout}; expected milliseconds above zero.`
    throw new RegistryError('invalid-definition', message)
  }
  if (!VALIDATION.has(validation)) {
    const message = `The validation of tool "${name}" is "${validation}"; expected ${[...VALIDATION].join(', ')}.`
    throw new RegistryError('invalid-definition', message)
  }
  checkTask(definition)
  const preparedInput = withDescriptions(prepareInput(input, name), definition)
  const parse = preparedInput.parse ?? (validation === 'handler' ? checkerOf(input) : undefined)
  const mirrored = headerParametersOf(preparedInput.wire)
  if (!mirrored.ok) {
    throw new RegistryError('invalid-definition', `The input of tool "${name}": ${mirrored.reason}.`)
  }
  return {
    definition,
    input: preparedInput,
    output: output === undefined ? undefined : prepareOutput(output, name),
    frame: frameOf(definition),
    handler: {
      parse: parse === undefined ? undefined : argumentsParser(name, parse),
      mapsArguments: validation === 'handler',
      handle: (args, ctx) => valueOf(definition, args, ctx),
    },
  }
}

function withDescriptions(
  input: PreparedSchema,
  { name, argumentDescriptions }: AnyToolDefinition,
): PreparedSchema {
  if (argumentDescriptions === undefined) return input
  const odd = Object.entries(argumentDescriptions).find(([, text]) => typeof text !== 'string')
  if (odd !== undefined) {
    const message = `The description of the argument "${odd[0]}" of tool "${name}" must be a text.`
    throw new RegistryError('invalid-definition', message)
  }
  return { ...input, wire: describedSchema(input.wire, argumentDescriptions) }
}

function checkerOf(
  input: SchemaInput | undefined,
): ((value: unknown) => Promise<Parsed<unknown>>) | undefined {
  return input === undefined ? undefined : (value) => checkValue(input, value)
}

function argumentsParser(
  name: string,
  parse: (value: unknown) => Promise<Parsed<unknown>>,
): Handler['parse'] {
  return async (args) => {
    const parsed = await parse(args)
    if (parsed.ok) return parsed.value as JsonObject
    throw new ArgumentsError(`The arguments of ${name} are not valid: ${parsed.reason}`)
  }
}

/** What the handler gives; of a stream the result in the end. */
async function valueOf(tool: AnyToolDefinition, args: unknown, ctx: HandlerContext<never>): Promise<unknown> {
  const value: unknown = await tool.run(args as never, ctx as never)
  return isAsyncIterable(value) ? drainStream(value, tool.accumulate, ctx) : value
}

function checkTask({ name, taskSupport = 'forbidden', task }: AnyToolDefinition): void {
  if (!TASK_SUPPORT.has(taskSupport)) {
    const message = `The taskSupport of tool "${name}" is "${taskSupport}"; expected ${[...TASK_SUPPORT].join(', ')}.`
    throw new RegistryError('invalid-definition', message)
  }
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
  const { name, annotations, taskSupport, task, validation } = definition
  return {
    name,
    ...describedMembers(definition),
    inputSchema: input.wire,
    ...(output === undefined ? {} : { outputSchema: output.wire }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(taskSupport === undefined ? {} : { taskSupport }),
    ...(task === undefined ? {} : { task }),
    ...(validation === 'handler' ? { validation } : {}),
    timeoutMs: definition.timeout ?? DEFAULT_TIMEOUT_MS,
    reentrant: definition.reentrant ?? false,
    invoke: (args, invocation) => runTool(current(), args, invocation),
  }
}

/** Without a promise where the handler gives none: most calls are over before anything else runs. */
function runTool(
  tool: PreparedTool,
  args: JsonObject,
  invocation: Invocation,
): ToolOutcome | Promise<ToolOutcome> {
  const { definition, output, frame, handler } = tool
  if (!frame.bare || handler.parse !== undefined) return runWithin(tool, args, invocation)
  try {
    const ctx = createContext(invocation, frame.metadata)
    const result: unknown = definition.run(args as never, ctx as never)
    const outcome = isAwaited(result)
      ? awaited(tool, result, ctx)
      : toToolOutcome(result, output, definition.name)
    return outcome instanceof Promise
      ? outcome.catch((error: unknown) => fault(tool, error, invocation))
      : outcome
  } catch (error) {
    return fault(tool, error, invocation)
  }
}

/** Runs a tool with its middleware. */
async function runWithin(tool: PreparedTool, args: JsonObject, invocation: Invocation): Promise<ToolOutcome> {
  const { definition, output, frame, handler } = tool
  try {
    if (!frame.bare) {
      const call = {
        kind: 'tool',
        name: definition.name,
        tags: definition.tags ?? NO_TAGS,
        arguments: args,
      } as const
      return await toToolOutcome(await frame.run(call, invocation, handler), output, definition.name)
    }
    const ready = handler.parse === undefined ? args : await handler.parse(args)
    const ctx = createContext(invocation, frame.metadata)
    return await awaited(tool, definition.run(ready as never, ctx as never), ctx)
  } catch (error) {
    return fault(tool, error, invocation)
  }
}

async function awaited(
  { definition, output }: PreparedTool,
  given: unknown,
  ctx: HandlerContext<never>,
): Promise<ToolOutcome> {
  let result: unknown = await given
  if (isAsyncIterable(result)) result = await drainStream(result, definition.accumulate, ctx)
  return await toToolOutcome(result, output, definition.name)
}

/** What the model reads of an error. Throws the errors that are an answer by themselves. */
function fault({ definition, frame }: PreparedTool, error: unknown, invocation: Invocation): ToolOutcome {
  if (isAnswerError(error)) throw error
  frame.failed(error, 'tool', definition.name, invocation)
  return errorOutcome(handlerErrorText(error))
}

function isAwaited(value: unknown): boolean {
  if (typeof value !== 'object' && typeof value !== 'function') return false
  return value !== null && ('then' in value || Symbol.asyncIterator in value)
}
