import type { JsonObject } from '../protocol/json.ts'
import type { Revision } from '../protocol/revisions.ts'
import {
  readRoots,
  readSample,
  type Asking,
  type Root,
  type SampleResult,
  type SamplingMessage,
} from './answers.ts'
import { textBlock } from './content.ts'
import { readAction, readForm, requestedSchema } from './elicitation.ts'
import type { Invocation, LogLevel, SharedStore } from './invocation.ts'
import { Questions } from './questions.ts'
import type { OutputOf, SchemaInput } from './schema.ts'

/** `key` names the question; without it the name is q1, q2, … in order of asking. */
export type AskOptions = { readonly key?: string }

/** Options of `sample`, as the specification names them (Sampling, CreateMessageRequest). */
export type SampleOptions = AskOptions & {
  /** 1,000 if not given. */
  readonly maxTokens?: number
  readonly systemPrompt?: string
  readonly temperature?: number
  readonly stopSequences?: readonly string[]
  readonly modelPreferences?: JsonObject
  readonly includeContext?: 'none' | 'thisServer' | 'allServers'
  readonly tools?: readonly JsonObject[]
  readonly toolChoice?: JsonObject
  readonly metadata?: JsonObject
}

/** Sends a log message: any JSON value, and the name of what logs if there is more than one. */
export type Log = (data: unknown, logger?: string) => void
export type HandlerLog = Readonly<Record<LogLevel, Log>>

/** All that a handler can reach beside its arguments. */
export interface HandlerContext {
  /** Aborted when the client cancels, the connection ends or the time limit passes. */
  readonly signal: AbortSignal
  readonly revision: Revision
  /** Headers of the HTTP request in lower case; empty on other transports. */
  readonly headers: Readonly<Record<string, string>>
  readonly sessionId: string | undefined
  readonly clientInfo: JsonObject | undefined
  readonly clientCapabilities: JsonObject
  /** The request's own `_meta`. */
  readonly metadata: JsonObject
  /** Values shared by all handlers, kept outside of them; they survive a restart of the handler's process. */
  readonly store: SharedStore
  readonly log: HandlerLog
  /** Says how far it is. `progress` must rise from call to call. */
  progress(progress: number, total?: number, message?: string): void
  /**
   * Says that what the call needs before it can be accepted is there: from here on it is a task, if the tool's
   * `task.start` is `by-handler` and the client takes tasks; else nothing happens. `message` tells people what is
   * being done.
   */
  startTask(message?: string): void
  /**
   * Asks the user to fill in a form and gives its content, checked: a flat zod or JSON Schema. An answer that does
   * not fit is asked for again. Rejects with an `ElicitationRefusedError`, whose `action` says decline or cancel.
   */
  elicit<S extends SchemaInput>(message: string, schema: S, options?: AskOptions): Promise<OutputOf<S>>
  /** Asks the user to open a page; resolves when they agreed. Rejects like `elicit`. */
  elicitUrl(message: string, url: string, options?: AskOptions): Promise<void>
  /** Asks the client's model: one user message, or a whole conversation. */
  sample(input: string | readonly SamplingMessage[], options?: SampleOptions): Promise<SampleResult>
  /** Asks for the client's roots. */
  roots(options?: AskOptions): Promise<readonly Root[]>
  /** Tells that a list changed, or a resource's content. */
  changed(change: { readonly kind: 'tools' | 'resources' | 'prompts' } | { readonly uri: string }): void
}

/** The context of one handler run: a thin face of the server's `Invocation`. */
export function createContext(invocation: Invocation): HandlerContext {
  return new InvocationContext(invocation)
}

const DEFAULT_MAX_TOKENS = 1_000

class InvocationContext implements HandlerContext {
  readonly #invocation: Invocation
  #log: HandlerLog | undefined
  #questions: Questions | undefined

  constructor(invocation: Invocation) {
    this.#invocation = invocation
  }

  get signal() {
    return this.#invocation.signal
  }
  get revision() {
    return this.#invocation.facts.revision
  }
  get headers() {
    return this.#invocation.facts.headers
  }
  get sessionId() {
    return this.#invocation.facts.sessionId
  }
  get clientInfo() {
    return this.#invocation.facts.clientInfo
  }
  get clientCapabilities() {
    return this.#invocation.facts.clientCapabilities
  }
  get metadata() {
    return this.#invocation.facts.meta
  }
  get store() {
    return this.#invocation.store
  }
  get log() {
    return (this.#log ??= createLog(this.#invocation))
  }

  progress(progress: number, total?: number, message?: string): void {
    this.#invocation.emit({
      type: 'progress',
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    })
  }

  startTask(message?: string): void {
    this.#invocation.emit({ type: 'task', ...(message === undefined ? {} : { message }) })
  }

  async elicit<S extends SchemaInput>(
    message: string,
    schema: S,
    options: AskOptions = {},
  ): Promise<OutputOf<S>> {
    const content = await this.#ask({
      key: options.key,
      method: 'elicitation/create',
      params: () => ({ mode: 'form', message, requestedSchema: requestedSchema(schema) }),
      read: (answer, key) => readForm(schema, answer, key, message),
    })
    return content as OutputOf<S>
  }

  elicitUrl(message: string, url: string, options: AskOptions = {}): Promise<void> {
    return this.#ask({
      key: options.key,
      method: 'elicitation/create',
      params: () => ({ mode: 'url', message, url: new URL(url).href }),
      read: (answer, key) => readAction(answer, key, message),
    })
  }

  sample(input: string | readonly SamplingMessage[], options: SampleOptions = {}): Promise<SampleResult> {
    const { key, maxTokens = DEFAULT_MAX_TOKENS, ...rest } = options
    const messages = typeof input === 'string' ? [{ role: 'user', content: textBlock(input) }] : input
    return this.#ask({
      key,
      method: 'sampling/createMessage',
      params: () => ({ messages, maxTokens, ...rest }),
      read: readSample,
    })
  }

  roots(options: AskOptions = {}): Promise<readonly Root[]> {
    return this.#ask({ key: options.key, method: 'roots/list', params: () => ({}), read: readRoots })
  }

  changed(change: { readonly kind: 'tools' | 'resources' | 'prompts' } | { readonly uri: string }): void {
    this.#invocation.changed(change)
  }

  #ask<T>(asking: Asking<T>): Promise<T> {
    return (this.#questions ??= new Questions(this.#invocation)).ask(asking)
  }
}

function createLog(invocation: Invocation): HandlerLog {
  const at =
    (level: LogLevel): Log =>
    (data, logger) => {
      invocation.emit({ type: 'log', level, data, ...(logger === undefined ? {} : { logger }) })
    }
  return {
    debug: at('debug'),
    info: at('info'),
    notice: at('notice'),
    warning: at('warning'),
    error: at('error'),
    critical: at('critical'),
    alert: at('alert'),
    emergency: at('emergency'),
  }
}
