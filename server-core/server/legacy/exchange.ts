import { randomUUID } from 'node:crypto'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { JsonRpcRequest, RequestId } from '../../protocol/messages.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import {
  InputUnavailableError,
  type Emission,
  type InvocationFacts,
  type Question,
} from '../../registry/invocation.ts'
import type { EncodedMessage } from '../../ports/encoded-message.ts'
import type { RequestContext, ReplySink } from '../../ports/server-port.ts'
import type { Audience } from '../audience.ts'
import { handlerFacts } from '../request-context.ts'
import type { ServerCore } from '../core.ts'
import type { WireResult } from '../result-metadata.ts'
import { EmissionFilter } from '../emission.ts'
import { encodeError, encodeNotification, encodeRequest, encodeResult, encodeSerialised } from '../encode.ts'
import { failureOf } from '../failure.ts'
import { addResultMetadata } from '../result-metadata.ts'
import type { Feature, Prepared } from '../features/feature.ts'
import type { HandlerCall } from '../features/handler-call.ts'
import { questionKind } from '../question-kinds.ts'
import { admitQuestions, questionFor } from '../questions.ts'
import { Run, type Answers, type FactSource, type RunAdapter, type RunEnd } from '../run.ts'
import type { ClientRequests } from './client-requests.ts'
import type { ClientNotices } from './client-notices.ts'
import type { SessionTasks } from './session-tasks.ts'

/** What is the same for all requests of a session, or for one without a session. */
export type LegacyContext = {
  readonly core: ServerCore
  readonly row: RevisionRow
  /** What is known of the client. */
  readonly client: Pick<InvocationFacts, 'clientCapabilities' | 'clientInfo' | 'sessionId'>
  /** Whom the handler reaches before the result. */
  readonly audience: Audience
  /** Undefined: there is no session in which the client could be asked. */
  readonly asked: ClientRequests | undefined
  /** What the client says of changes. */
  readonly notices?: ClientNotices
  /** Undefined: calls are never tasks. */
  readonly tasks?: SessionTasks | undefined
  /** Called once per exchange, when it was answered or cancelled. */
  readonly over: (id: RequestId) => void
}

const NO_META: JsonObject = {}
/** Milliseconds after which a client that was let go comes back, if its handler names none. */
const RETRY_MS = 1_000

/** One request of a legacy session until its answer. Questions of its handler are requests to the client. */
export class LegacyExchange implements RunAdapter, RunEnd, FactSource {
  readonly #message: JsonRpcRequest
  readonly #sink: ReplySink
  readonly #context: LegacyContext
  readonly #requestContext: RequestContext
  #filter: EmissionFilter | undefined
  #run: Run | undefined
  #call: HandlerCall | undefined
  /** The ids of what users were sent to do elsewhere, by the key of the question. */
  #elicitations: Map<string, string> | undefined
  /** How many notices of the client are known to the handler. */
  #seen: number
  #over = false

  constructor(
    context: LegacyContext,
    message: JsonRpcRequest,
    requestContext: RequestContext,
    sink: ReplySink,
  ) {
    this.#context = context
    this.#message = message
    this.#requestContext = requestContext
    this.#sink = sink
    this.#seen = context.notices?.count ?? 0
  }

  serve(feature: Feature): void {
    const { core, row } = this.#context
    try {
      const prepared = feature({ core, row, params: this.#message.params ?? {} })
      if (prepared instanceof Promise) {
        prepared.then(
          (ready) => {
            this.#proceed(ready)
          },
          (error: unknown) => {
            this.failed(error)
          },
        )
      } else this.#proceed(prepared)
    } catch (error) {
      this.failed(error)
    }
  }

  facts(): InvocationFacts {
    const { row, client } = this.#context
    return {
      revision: row.revision,
      ...handlerFacts(this.#requestContext),
      ...client,
      meta: this.#meta(),
      answers: {},
    }
  }

  cancel(reason: string): void {
    if (this.#over) return
    this.#over = true
    // First the run, which withdraws its questions on the same sink.
    this.#run?.cancel(reason)
    this.#sink.abandon()
    this.#context.over(this.#message.id)
  }

  emit(emission: Emission): void {
    if (this.#over) return
    const { row, audience } = this.#context
    if (emission.type === 'release') {
      // Only a client that was given an id to come back with can be let go.
      if (row.primingEvents) this.#sink.release?.(retryDelay(emission.retryMs))
      return
    }
    if (emission.type === 'elicitation-complete') {
      this.#notifyComplete(emission.key)
      return
    }
    this.#filter ??= new EmissionFilter(this.#meta()['progressToken'], audience, row.progressMessages)
    const bytes = this.#filter.encode(emission)
    if (bytes !== undefined) this.#sink.emit(bytes)
  }

  async ask(questions: readonly Question[], withdrawn?: AbortSignal): Promise<Answers> {
    const { asked, core, row, client } = this.#context
    if (asked === undefined) throw noSession(questions)
    const written = questions.map((question) => questionFor(row, question, client.clientCapabilities))
    const now = written.map(({ after: _after, ...question }) => question)
    await admitQuestions(now, client.clientCapabilities, core.validators)
    const answers = await Promise.all(written.map((question) => this.#askOne(question, asked, withdrawn)))
    return Object.fromEntries(answers)
  }

  async #askOne(
    question: Question,
    asked: ClientRequests,
    withdrawn: AbortSignal | undefined,
  ): Promise<[string, JsonObject]> {
    const { key, method, after } = question
    const signal = this.#run?.signal
    const { changes } = questionKind(method)
    if (changes !== undefined) {
      const { notices } = this.#context
      if (after !== undefined && signal !== undefined)
        await notices?.after(changes.notice, this.#seen, signal)
      this.#seen = notices?.count ?? 0
    }
    const params = this.#identified(question)
    const withdraw = (id: string) => {
      this.#sink.emit(encodeNotification('notifications/cancelled', { requestId: id }))
    }
    const { id, result } = asked.open(method, {
      send: (fresh) => {
        this.#sink.emit(encodeRequest(fresh, method, params))
      },
      withdraw,
    })
    const abandon = () => {
      if (asked.forget(id)) withdraw(id)
    }
    signal?.addEventListener('abort', abandon, { once: true })
    withdrawn?.addEventListener('abort', abandon, { once: true })
    try {
      return [key, await result]
    } finally {
      signal?.removeEventListener('abort', abandon)
      withdrawn?.removeEventListener('abort', abandon)
    }
  }

  #proceed(prepared: Prepared): void {
    if (this.#over) return
    if (prepared.type === 'serialised') this.#answer(encodeSerialised(this.#message.id, prepared.bytes))
    else if (prepared.type === 'result') this.succeeded(prepared.result)
    else this.#start(prepared)
  }

  #start(call: HandlerCall): void {
    const { core, tasks } = this.#context
    this.#call = call
    if (tasks !== undefined && this.#message.method === 'tools/call') {
      try {
        const begun = tasks.begin(call, this.#message.params ?? {}, this)
        if (begun !== undefined) {
          this.succeeded(begun.result)
          begun.start()
          return
        }
      } catch (error) {
        this.failed(error)
        return
      }
    }
    const run = new Run(this, core.store, core.changes, this)
    this.#run = run
    run.execute(call, this)
  }

  succeeded(result: WireResult): void {
    if (this.#over) return
    const { core, row } = this.#context
    let text: string
    try {
      text = encodeResult(this.#message.id, addResultMetadata(core.info, row, result, false))
    } catch (error) {
      this.failed(error)
      return
    }
    this.#answer(text)
  }

  failed(thrown: unknown): void {
    if (this.#over) return
    const failure = failureOf(thrown, this.#context.row, this.#call)
    if (failure.type === 'result') this.#answer(encodeResult(this.#message.id, failure.result))
    else this.#answer(encodeError(this.#message.id, failure.error.toBody()))
  }

  #answer(message: EncodedMessage): void {
    this.#over = true
    // A connection that closes once nothing is in flight takes this answer along.
    this.#sink.answer(message, 200)
    this.#context.over(this.#message.id)
  }

  /** Adds an id to a page to visit, by which the client is notified that the visit is done (2025-11-25, URL mode). */
  #identified({ key, params }: Question): JsonObject {
    if (params['mode'] !== 'url' || !this.#context.row.elicitationIds) return params
    const elicitationId = randomUUID()
    this.#elicitations ??= new Map()
    this.#elicitations.set(key, elicitationId)
    return { ...params, elicitationId }
  }

  #notifyComplete(key: string): void {
    const elicitationId = this.#elicitations?.get(key)
    if (elicitationId === undefined) return
    this.#elicitations?.delete(key)
    this.#sink.emit(encodeNotification('notifications/elicitation/complete', { elicitationId }))
  }

  #meta(): JsonObject {
    const meta = this.#message.params?.['_meta']
    return isJsonObject(meta) ? meta : NO_META
  }
}

function retryDelay(asked: number | undefined): number {
  return asked === undefined || !Number.isFinite(asked) || asked < 0 ? RETRY_MS : Math.trunc(asked)
}

/** Why nobody can be asked, whatever the client declares: there is no session to ask it in. */
function noSession(questions: readonly Question[]): InputUnavailableError {
  const methods = [...new Set(questions.map(({ method }) => method))].join(', ')
  return new InputUnavailableError(
    `The client cannot be asked (${methods}): this server serves each request on its own, without a session`,
    {},
  )
}
