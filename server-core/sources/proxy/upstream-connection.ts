import { uncheckedAnswer } from '../../client/answers/unchecked-answer.ts'
import type { Connection } from '../../client/connect.ts'
import type { Declaration } from '../../client/declaration.ts'
import type { LogMessage } from '../../client/events.ts'
import type { QuestionContext, Responders } from '../../client/responders.ts'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import type { SessionEnd } from '../../registry/upstream.ts'
import { isLogLevel } from '../../protocol/log-level.ts'
import { ClientAnswerError } from '../../registry/answers.ts'
import { InputUnavailableError, type Invocation } from '../../registry/invocation.ts'
import type { OpenUpstream } from './upstream.ts'
import { messageOf } from '../../protocol/error-message.ts'

export type UpstreamConnectionOptions = {
  readonly open: OpenUpstream
  readonly declaration: Declaration
  /** The session in front, for what belongs to no call; undefined where there is none. */
  readonly sessionEnd: () => SessionEnd | undefined
  /** Precedes the logger of log messages, where several servers are behind one. */
  readonly alias: string | undefined
  readonly onListChanged: (list: 'tools' | 'prompts' | 'resources') => void
  readonly onUpdated: (uri: string) => void
  readonly onClosed: (reason: string) => void
}

/** Where the id of a page to visit belongs. */
type Visit = { readonly invocation: Invocation; readonly key: string }

/**
 * One connection to the server behind, and the calls that run over it. What the server asks or says in between goes to
 * one of them; whose calls may share a line is for `Lines` to decide.
 */
export class UpstreamConnection {
  readonly #options: UpstreamConnectionOptions
  readonly #calls = new Set<Invocation>()
  readonly #visits = new Map<string, Visit>()
  readonly #ending = new AbortController()
  #connection: Connection | undefined
  #questions = 0

  constructor(options: UpstreamConnectionOptions) {
    this.#options = options
  }

  /** Throws what opening it throws. */
  async open(): Promise<Connection> {
    const { open, declaration, onListChanged, onUpdated, onClosed } = this.#options
    const answer = async (params: JsonObject, context: QuestionContext): Promise<JsonObject> => {
      try {
        return await this.#ask(params, context)
      } catch (error) {
        throw clientError(error)
      }
    }
    const responders: Responders = {
      elicitation: { form: answer, url: answer },
      sampling: { answer, tools: true, context: true },
      roots: answer,
    }
    this.#connection = await open({
      declaration,
      responders,
      signal: this.#ending.signal,
      listeners: {
        log: (message) => this.#log(message),
        resourceUpdated: onUpdated,
        elicitationComplete: ({ elicitationId }) => this.#visited(elicitationId),
        closed: ({ message }) => onClosed(message),
      },
    })
    if (this.#ending.signal.aborted) await this.#connection.close()
    else this.#connection.onListChanged(onListChanged)
    return this.#connection
  }

  get connection(): Connection {
    if (this.#connection === undefined) throw new TypeError('the line was not opened')
    return this.#connection
  }

  get isBusy(): boolean {
    return this.#calls.size > 0
  }

  /** A call runs over this line until the function is called. */
  begin(invocation: Invocation): () => void {
    this.#calls.add(invocation)
    return () => {
      this.#calls.delete(invocation)
    }
  }

  async close(): Promise<void> {
    this.#ending.abort(new Error('the proxy ends this connection'))
    await this.#connection?.close()
  }

  /** The call that began last is the likeliest to be the one that is asked for. */
  get #latest(): Invocation | undefined {
    return [...this.#calls].at(-1)
  }

  async #ask(params: JsonObject, { method, signal, key: given }: QuestionContext): Promise<JsonObject> {
    this.#questions += 1
    const key = given ?? `proxied-${this.#questions}`
    const { elicitationId } = params
    const question = { key, method, params: withoutOurs(params) }
    const invocation = this.#latest
    if (invocation === undefined) {
      const end = this.#options.sessionEnd()
      if (end === undefined) throw nobody(method)
      return uncheckedAnswer(await end.ask(question, signal))
    }
    if (typeof elicitationId === 'string') this.#visits.set(elicitationId, { invocation, key })
    const answers = await invocation.ask([question], signal)
    const answer = answers[key]
    if (answer === undefined) throw nobody(method)
    return uncheckedAnswer(answer)
  }

  #visited(elicitationId: string): void {
    const visit = this.#visits.get(elicitationId)
    this.#visits.delete(elicitationId)
    if (visit !== undefined) visit.invocation.emit({ type: 'elicitation-complete', key: visit.key })
    // The client knows the id itself where it came with an error (2025-11-25).
    else this.#options.sessionEnd()?.notify('notifications/elicitation/complete', { elicitationId })
  }

  #log({ level, data, logger }: LogMessage): void {
    if (!isLogLevel(level)) return
    const { alias } = this.#options
    const name = [alias, logger].filter((part) => part !== undefined).join('/')
    const emission = { type: 'log', level, data, ...(name === '' ? {} : { logger: name }) } as const
    const target = this.#latest ?? this.#options.sessionEnd()
    target?.emit(emission)
  }
}

/** What names requests and tasks on one side means nothing on the other. */
function withoutOurs(params: JsonObject): JsonObject {
  const { elicitationId: _id, task: _task, ...rest } = params
  const meta = rest['_meta']
  if (!isJsonObject(meta)) return rest
  const { progressToken: _token, [MetaKey.relatedTask]: _related, ...others } = meta
  const { _meta, ...bare } = rest
  return Object.keys(others).length === 0 ? bare : { ...bare, _meta: others }
}

function nobody(method: string): ProtocolError {
  return new ProtocolError(ErrorCode.internalError, `no client is there to answer ${method}`)
}

/**
 * The error for the server if the client in front did not answer: the code, message and data of the client if it
 * answered with an error, and otherwise the reason.
 */
function clientError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error
  if (error instanceof ClientAnswerError) {
    const { cause } = error
    return cause instanceof ProtocolError ? cause : new ProtocolError(error.code, error.message, error.data)
  }
  const reason = messageOf(error)
  const code = error instanceof InputUnavailableError ? ErrorCode.methodNotFound : ErrorCode.internalError
  return new ProtocolError(code, `the client in front did not answer: ${reason}`)
}
