import { recordedCalls } from '../comparison/recorded-calls.ts'
import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { stringifyExact } from '../protocol/exact-json.ts'
import type { RecordingView } from '../recordings/recording-view.ts'
import type {
  CompletionOutcome,
  PromptEntry,
  RegistryView,
  ResourceEntry,
  ResourceTemplateEntry,
  ToolEntry,
} from '../registry/entries.ts'
import { InputUnavailableError, type Invocation } from '../registry/invocation.ts'
import { findResource } from '../registry/view.ts'
import type { Forwarded } from '../sources/proxy/forward.ts'
import { MemberNames } from '../sources/proxy/member-names.ts'
import {
  promptEntry,
  readThrough,
  resourceEntry,
  templateEntry,
  toolEntry,
} from '../sources/proxy/remote-entries.ts'
import { AnswerBook, type Found, type Match } from './answer-book.ts'
import { recordedAnswers, type RecordedAnswer } from './recorded-answers.ts'
import { recordedLists, type RecordedLists } from './recorded-lists.ts'

export type ReplayOptions = {
  /** What makes a call the same as a recorded one: `exact` unless told. */
  readonly match?: Match
  /** Each recorded answer is given once; else the last one to a question is repeated. */
  readonly once?: boolean
  /** Recorded delays times this: 0 for none, which is usual, 1 as recorded. */
  readonly latency?: number
  /** Answers what the recording has no answer for; without it, that is an error. */
  readonly otherwise?: Otherwise
}

/** What answers in place of a recording. */
export type Otherwise = {
  answer(request: Forwarded, invocation: Invocation): Promise<JsonObject>
  close(): Promise<void>
}

/** Characters of arguments in an error. */
const LONGEST_ARGUMENTS = 300

/** A server that answers as one of a recording did, in the words of whichever revision and transport asks. */
export class RecordedServer implements RegistryView {
  readonly lists: RecordedLists
  /** Calls that have an answer. */
  readonly calls: number
  readonly #book: AnswerBook
  readonly #latency: number
  readonly #otherwise: Otherwise | undefined
  readonly #tools: readonly ToolEntry[]
  readonly #resources: readonly ResourceEntry[]
  readonly #templates: readonly ResourceTemplateEntry[]
  readonly #prompts: readonly PromptEntry[]

  private constructor(lists: RecordedLists, answers: readonly RecordedAnswer[], options: ReplayOptions) {
    this.lists = lists
    this.calls = answers.length
    this.#book = new AnswerBook(answers, options.match ?? 'exact', options.once ?? false)
    this.#latency = options.latency ?? 0
    this.#otherwise = options.otherwise
    const names = new MemberNames(undefined)
    const send = (request: Forwarded, invocation: Invocation): Promise<JsonObject> =>
      this.#answer(request, invocation)
    this.#tools = lists.tools.flatMap((raw) => toolEntry(raw, names, 'never', send) ?? [])
    this.#resources = lists.resources.map((raw) => resourceEntry(raw, send))
    this.#templates = lists.templates.flatMap((raw) => templateEntry(raw, send) ?? [])
    this.#prompts = lists.prompts.map((raw) => promptEntry(raw, names, send))
  }

  /** Reads a recording. Rejects with a `RecordingError` if it is too large. */
  static async read(view: RecordingView, options: ReplayOptions = {}): Promise<RecordedServer> {
    const calls = await recordedCalls(view)
    return new RecordedServer(recordedLists(calls), recordedAnswers(calls), options)
  }

  tools(): readonly ToolEntry[] {
    return this.#tools
  }

  tool(name: string): ToolEntry | undefined {
    return this.#tools.find((tool) => tool.name === name)
  }

  resources(): readonly ResourceEntry[] {
    return this.#resources
  }

  resourceTemplates(): readonly ResourceTemplateEntry[] {
    return this.#templates
  }

  resourceFor(uri: string): ReturnType<RegistryView['resourceFor']> {
    const listed = this.#resources.find((resource) => resource.uri === uri)
    // What was read may be in no list.
    return (
      findResource(uri, listed, this.#templates) ?? {
        read: (invocation) => readThrough(uri, invocation, (request) => this.#answer(request, invocation)),
        reentrant: false,
      }
    )
  }

  prompts(): readonly PromptEntry[] {
    return this.#prompts
  }

  prompt(name: string): PromptEntry | undefined {
    return this.#prompts.find((prompt) => prompt.name === name)
  }

  async complete(
    ref: Parameters<RegistryView['complete']>[0],
    argument: Parameters<RegistryView['complete']>[1],
    _context: Readonly<Record<string, string>>,
    invocation: Invocation,
  ): Promise<CompletionOutcome | undefined> {
    const found = this.#book.take('completion/complete', { ref, argument })
    if (found.type !== 'answer') return { values: [] }
    const { completion } = await this.#replay(found.answer, invocation)
    const { values, total, hasMore } = isJsonObject(completion) ? completion : {}
    return {
      values: Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [],
      ...(typeof total === 'number' && { total }),
      ...(typeof hasMore === 'boolean' && { hasMore }),
    }
  }

  listStability(): 'fixed' {
    return 'fixed'
  }

  onChange(): () => void {
    return () => undefined
  }

  /** Ends the connection to what answers otherwise. */
  async close(): Promise<void> {
    await this.#otherwise?.close()
  }

  async #answer(request: Forwarded, invocation: Invocation): Promise<JsonObject> {
    const { method, params } = request
    const found = this.#book.take(method, params)
    if (found.type !== 'answer' && this.#otherwise !== undefined)
      return this.#otherwise.answer(request, invocation)
    if (found.type !== 'answer') throw noAnswer(method, params, found)
    return this.#replay(found.answer, invocation)
  }

  async #replay({ steps, afterMs, outcome }: RecordedAnswer, invocation: Invocation): Promise<JsonObject> {
    for (const step of steps) {
      await this.#wait(step.afterMs, invocation.signal)
      if (step.type === 'emit') invocation.emit(step.emission)
      else
        // The recorded answer stands whatever the client says now, also that it cannot be asked.
        await invocation.ask(step.questions).catch((error: unknown) => {
          if (!(error instanceof InputUnavailableError)) throw error
        })
    }
    await this.#wait(afterMs, invocation.signal)
    const value = isJsonObject(outcome.value) ? outcome.value : {}
    if (outcome.type === 'result') return value
    const { code, message, data } = value
    throw new ProtocolError(
      typeof code === 'number' ? code : ErrorCode.internalError,
      typeof message === 'string' ? message : '',
      data,
    )
  }

  async #wait(recordedMs: number, signal: AbortSignal): Promise<void> {
    const ms = recordedMs * this.#latency
    if (ms < 1) return
    const { setTimeout: wait } = await import('node:timers/promises')
    await wait(ms, undefined, { signal })
  }
}

function noAnswer(
  method: string,
  params: JsonObject,
  found: Exclude<Found, { type: 'answer' }>,
): ProtocolError {
  const target = params['name'] ?? params['uri']
  const what = typeof target === 'string' ? `${method} "${target}"` : method
  switch (found.type) {
    case 'used-up':
      return new ProtocolError(
        ErrorCode.invalidParams,
        `All recorded answers of ${what} with these arguments were given, and each is given once`,
      )
    case 'nearest': {
      const asked = stringifyExact(found.asked).slice(0, LONGEST_ARGUMENTS)
      const pointers = found.changes.map(({ pointer }) => pointer).join(', ')
      return new ProtocolError(
        ErrorCode.invalidParams,
        `No recorded call of ${what} has these arguments. The nearest has ${asked}; it differs at ${pointers}`,
        { nearest: found.asked, changes: found.changes },
      )
    }
    case 'unknown': {
      const known = found.targets.length === 0 ? 'none of this method' : found.targets.join(', ')
      return new ProtocolError(ErrorCode.invalidParams, `The recording has no ${what}; it has ${known}`)
    }
  }
}
