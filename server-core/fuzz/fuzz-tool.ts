import type { Connection } from '../client/connect.ts'
import { messageOf } from '../protocol/error-message.ts'
import { isJsonObject, type JsonObject, type JsonSchema } from '../protocol/json.ts'
import { attempt, type Attempt, type Fault } from './attempt.ts'
import { inputCases, type InputCase } from './input-cases.ts'
import { isValidInput } from './input-validity.ts'
import { smallerInputs } from './shrink.ts'

/** Opens and closes connections: one is lost with each crash. */
export type ConnectionSource = {
  /** The open connection, or a new one. */
  connection(): Promise<Connection>
  /** Ends the open connection, so that the next is a new one. */
  drop(): Promise<void>
}

export type FuzzOptions = {
  readonly seed: number
  /** The most cases of one tool. */
  readonly runs: number
  /** Milliseconds for one answer. */
  readonly timeoutMs: number
  /** `performance.now()` at which no further call begins. */
  readonly deadline: number
  readonly signal: AbortSignal
}

/** A broken property with the smallest input that breaks it. */
export type Finding = Fault & {
  readonly input: JsonObject
  /** In what the input breaks the schema. */
  readonly fault?: string
  /** The input that was found first, if it was larger. */
  readonly original?: JsonObject
  /** Whether the same input failed again over a new connection. If not, earlier calls may have a part in it. */
  readonly repeats: boolean
}

export type FuzzedTool = {
  readonly name: string
  /** Calls with valid input, and with invalid input. */
  readonly valid: number
  readonly invalid: number
  /** Valid input that was answered with `isError`. */
  readonly toolErrors: number
  readonly undecided: number
  readonly findings: readonly Finding[]
  /** Why the run ended before all cases were tried. */
  readonly stopped?: string
}

/** Calls that make one finding smaller, and the same where each call waits for the timeout. */
const SHRINKING_CALLS = 60
const SHRINKING_WAITS = 8
/** Cases of one tool that may cost the connection. */
const MOST_LOSSES = 4
/** Findings of one tool. */
const MOST_FINDINGS = 10

/** Calls one tool with cases of its input schema. Never throws because of what the server does. */
export async function fuzzTool(
  source: ConnectionSource,
  tool: { readonly name: string; readonly inputSchema: JsonSchema },
  options: FuzzOptions,
): Promise<FuzzedTool> {
  const cases = await inputCases(tool.inputSchema, options)
  if (!cases.ok) return { ...NOTHING, name: tool.name, stopped: cases.reason }
  return new ToolRun(source, tool, options).run(cases.value)
}

/** Calls one tool with given arguments, once. */
export async function fuzzInput(
  source: ConnectionSource,
  tool: { readonly name: string; readonly inputSchema: JsonSchema },
  input: JsonObject,
  options: FuzzOptions,
): Promise<FuzzedTool> {
  const valid = await isValidInput(tool.inputSchema, input)
  if (!valid.ok) return { ...NOTHING, name: tool.name, stopped: valid.reason }
  const only = valid.value ? { input } : { input, fault: 'it does not match the input schema' }
  return new ToolRun(source, tool, options, 0).run([only])
}

const NOTHING = { valid: 0, invalid: 0, toolErrors: 0, undecided: 0, findings: [] } as const

class ToolRun {
  readonly #counts = { valid: 0, invalid: 0, toolErrors: 0, undecided: 0 }
  readonly #findings: Finding[] = []
  readonly #seen = new Set<string>()
  readonly #source: ConnectionSource
  readonly #tool: { readonly name: string; readonly inputSchema: JsonSchema }
  readonly #options: FuzzOptions
  readonly #shrinkingCalls: number

  constructor(
    source: ConnectionSource,
    tool: { readonly name: string; readonly inputSchema: JsonSchema },
    options: FuzzOptions,
    shrinkingCalls = SHRINKING_CALLS,
  ) {
    this.#source = source
    this.#tool = tool
    this.#options = options
    this.#shrinkingCalls = shrinkingCalls
  }

  async run(cases: readonly InputCase[]): Promise<FuzzedTool> {
    let stopped: string | undefined
    for (const each of cases) {
      stopped = this.#stopReason()
      if (stopped !== undefined) break
      const tried = await this.#try(each)
      if (tried === undefined) {
        stopped = `the server cannot be reached any more: ${this.#lost ?? ''}`
        break
      }
      this.#count(each, tried)
      if (tried.type === 'fault' && tried.lostConnection) this.#losses += 1
      // The same property with the same kind of input is one finding.
      const key = tried.type === 'fault' ? `${tried.fault.property} ${each.fault ?? ''}` : ''
      if (tried.type !== 'fault' || this.#seen.has(key)) continue
      this.#seen.add(key)
      this.#findings.push(await this.#smallest(each, tried.fault))
    }
    return {
      name: this.#tool.name,
      ...this.#counts,
      findings: this.#findings,
      ...(stopped !== undefined && { stopped }),
    }
  }

  #lost: string | undefined
  #losses = 0

  #stopReason(): string | undefined {
    this.#options.signal.throwIfAborted()
    if (performance.now() >= this.#options.deadline) return 'the time was over'
    if (this.#losses >= MOST_LOSSES) return `${MOST_LOSSES} cases cost the connection`
    return this.#findings.length >= MOST_FINDINGS ? `it has ${MOST_FINDINGS} findings` : undefined
  }

  #count({ fault }: InputCase, tried: Attempt): void {
    if (fault === undefined) this.#counts.valid += 1
    else this.#counts.invalid += 1
    if (tried.type === 'undecided') this.#counts.undecided += 1
    if (tried.type === 'fine' && tried.isError && fault === undefined) this.#counts.toolErrors += 1
  }

  /** Makes one call; undefined if there is no connection. */
  async #try(each: InputCase): Promise<Attempt | undefined> {
    let connection: Connection
    try {
      connection = await this.#source.connection()
    } catch (error) {
      this.#options.signal.throwIfAborted()
      this.#lost = messageOf(error)
      return undefined
    }
    const tried = await attempt(connection, this.#tool.name, each, this.#options)
    if (tried.type === 'fault' && tried.lostConnection) await this.#source.drop()
    return tried
  }

  /** Makes a failing input smaller as long as it breaks the same property, then tries it again from the start. */
  async #smallest(first: InputCase, fault: Fault): Promise<Finding> {
    let [smallest, last] = [first, fault]
    let calls =
      fault.property === 'no-hang' ? Math.min(SHRINKING_WAITS, this.#shrinkingCalls) : this.#shrinkingCalls
    const tried = new Set<string>()
    for (let isSmaller = true; isSmaller && calls > 0;) {
      isSmaller = false
      for (const input of smallerInputs(smallest.input)) {
        const text = JSON.stringify(input)
        if (tried.has(text)) continue
        tried.add(text)
        if (calls <= 0 || performance.now() >= this.#options.deadline) break
        const candidate = await this.#sameKind(input, first)
        if (candidate === undefined) continue
        calls -= 1
        const again = await this.#try(candidate)
        if (again?.type !== 'fault' || again.fault.property !== fault.property) continue
        ;[smallest, last, isSmaller] = [candidate, again.fault, true]
        break
      }
    }
    await this.#source.drop()
    const repeated = await this.#try(smallest)
    const repeats = repeated?.type === 'fault' && repeated.fault.property === fault.property
    const isSame = JSON.stringify(smallest.input) === JSON.stringify(first.input)
    return {
      ...last,
      input: smallest.input,
      ...(smallest.fault !== undefined && { fault: smallest.fault }),
      ...(!isSame && { original: first.input }),
      repeats,
    }
  }

  /** An input as a case, if it is valid as the first one is, or invalid as that is. */
  async #sameKind(input: JsonObject, { fault }: InputCase): Promise<InputCase | undefined> {
    const valid = await isValidInput(this.#tool.inputSchema, input)
    if (!valid.ok || valid.value !== (fault === undefined)) return undefined
    return fault === undefined ? { input } : { input, fault }
  }
}

/** The input schema of a listed tool; one that takes anything if it has none. */
export function inputSchemaOf(tool: JsonObject): JsonSchema {
  const { inputSchema } = tool
  return isJsonObject(inputSchema) ? inputSchema : { type: 'object' }
}
