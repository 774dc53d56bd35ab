import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { visibleLine } from '../../protocol/visible-text.ts'
import type { ToolEntry, ToolOutcome } from '../../registry/entries.ts'
import type { FeatureRequest } from '../core.ts'
import { blocksFor } from '../downgrade/blocks.ts'
import { structuredFor } from '../downgrade/structured.ts'
import type { Run } from '../run.ts'
import type { WireResult } from '../result-metadata.ts'
import type { Check } from '../schemas/validators.ts'
import type { Feature, Prepared } from './feature.ts'
import type { HandlerCall } from './handler-call.ts'

/**
 * tools/call (specification: Tools, Calling Tools). An unknown tool or arguments that are not an object are errors;
 * a tool's own fault and its time limit are results that the model can read, and so are arguments that break the
 * schema, except in revisions that tell them as errors.
 */
export const callTool: Feature = (request) => {
  const { core, params } = request
  const name = params['name']
  if (typeof name !== 'string') {
    throw new ProtocolError(ErrorCode.invalidParams, 'tools/call needs the name of a tool in params.name')
  }
  const tool = core.registry.tool(name)
  if (tool === undefined)
    throw new ProtocolError(ErrorCode.invalidParams, `Unknown tool: ${visibleLine(name, 100)}`)
  const args = params['arguments'] ?? {}
  if (!isJsonObject(args)) {
    throw new ProtocolError(ErrorCode.invalidParams, 'tools/call takes an object in params.arguments')
  }
  if (tool.isCheckedElsewhere === true || tool.validation === 'handler')
    return new ToolCall(request, tool, args)
  const check = core.validators.check(tool.inputSchema, `the input of tool "${name}"`)
  if (check instanceof Promise) return check.then((ready) => prepare(request, tool, args, ready))
  return prepare(request, tool, args, check)
}

function prepare(
  request: FeatureRequest,
  tool: ToolEntry,
  args: JsonObject,
  check: Check,
): Prepared | Promise<Prepared> {
  const problem = check(args)
  return problem instanceof Promise
    ? problem.then((found) => prepareChecked(request, tool, args, found))
    : prepareChecked(request, tool, args, problem)
}

function prepareChecked(
  request: FeatureRequest,
  tool: ToolEntry,
  args: JsonObject,
  problem: string | undefined,
): Prepared {
  if (problem !== undefined) {
    const message = `Invalid arguments for tool "${tool.name}": ${problem}`
    if (request.row.argumentFaults === 'error') throw new ProtocolError(ErrorCode.invalidParams, message)
    const result = errorResult(message)
    // A client that asked for a task gets one: it fails at once.
    if (request.params['task'] === undefined || request.row.tasks !== 'core')
      return { type: 'result', result }
    return new ToolCall(request, tool, args, result)
  }
  return new ToolCall(request, tool, args)
}

class ToolCall implements HandlerCall {
  readonly type = 'handler'
  readonly mayAsk = true
  readonly #request: FeatureRequest
  readonly #tool: ToolEntry
  readonly #args: JsonObject
  /** The result of a call whose handler does not run. */
  readonly #known: WireResult | undefined

  constructor(request: FeatureRequest, tool: ToolEntry, args: JsonObject, known?: WireResult) {
    this.#request = request
    this.#tool = tool
    this.#args = args
    this.#known = known
  }

  run(run: Run): WireResult | Promise<WireResult> {
    if (this.#known !== undefined) return this.#known
    const outcome = this.#tool.invoke(this.#args, run)
    return outcome instanceof Promise ? this.#late(outcome) : resultOf(this.#request, this.#tool, outcome)
  }

  async #late(outcome: Promise<ToolOutcome>): Promise<WireResult> {
    return await resultOf(this.#request, this.#tool, await outcome)
  }

  get timeoutMs(): number {
    return this.#tool.timeoutMs
  }

  get timeoutName(): string {
    return 'its timeout'
  }

  get reentrant(): boolean {
    return this.#tool.reentrant
  }

  get task(): HandlerCall['task'] {
    const { name, task, taskSupport = 'forbidden' } = this.#tool
    return taskSupport === 'forbidden' ? undefined : { ...task, tool: name, support: taskSupport }
  }

  faultResult(message: string): WireResult {
    return errorResult(`Tool "${this.#tool.name}": ${message}`)
  }
}

/** The result of a tool whose output schema, if there is one, holds. */
function resultOf(
  request: FeatureRequest,
  tool: ToolEntry,
  outcome: ToolOutcome,
): WireResult | Promise<WireResult> {
  const { name, outputSchema } = tool
  if (outputSchema === undefined || outcome.isError === true || tool.isCheckedElsewhere === true) {
    return toResult(request, tool, outcome)
  }
  if (outcome.structured === undefined) {
    return errorResult(`Tool "${name}" declares an output schema, but gave no structured content`)
  }
  const check = request.core.validators.check(outputSchema, `the output of tool "${name}"`)
  return check instanceof Promise
    ? check.then((ready) => checkedResult(request, tool, outcome, ready))
    : checkedResult(request, tool, outcome, check)
}

function checkedResult(
  request: FeatureRequest,
  tool: ToolEntry,
  outcome: ToolOutcome,
  check: Check,
): WireResult | Promise<WireResult> {
  const problem = check(outcome.structured)
  return problem instanceof Promise
    ? problem.then((found) => resultByCheck(request, tool, outcome, found))
    : resultByCheck(request, tool, outcome, problem)
}

function resultByCheck(
  request: FeatureRequest,
  tool: ToolEntry,
  outcome: ToolOutcome,
  problem: string | undefined,
): WireResult {
  if (problem === undefined) return toResult(request, tool, outcome)
  return errorResult(
    `Tool "${tool.name}" gave structured content that breaks its own output schema: ${problem}`,
  )
}

function toResult({ row }: FeatureRequest, tool: ToolEntry, outcome: ToolOutcome): WireResult {
  const { structured, meta, others } = outcome
  const result: WireResult = { content: blocksFor(row.contentBlocks, outcome.content) }
  if (others !== undefined) Object.assign(result, { ...others, ...result })
  if (structured !== undefined) {
    if (outcome.content.length === 0 && tool.isCheckedElsewhere !== true)
      result['content'] = [textBlock(JSON.stringify(structured))]
    const requestContext = structuredFor(row, tool.outputSchema, structured)
    if (requestContext !== undefined) result['structuredContent'] = requestContext
  }
  if (outcome.isError === true) result['isError'] = true
  if (meta !== undefined) result['_meta'] = meta
  return result
}

function errorResult(message: string): WireResult {
  return { content: [textBlock(message)], isError: true }
}

function textBlock(text: string): JsonObject {
  return { type: 'text', text }
}
