import { randomUUID } from 'node:crypto'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { JsonRpcRequest } from '../../protocol/messages.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import type { Emission, InvocationFacts, LogLevel, Question } from '../../registry/invocation.ts'
import type { ReplySink } from '../../transports/server-port.ts'
import type { ServerCore } from '../core.ts'
import type { WireResult } from '../season.ts'
import { EmissionFilter } from '../emission.ts'
import { encodeError, encodeNotification, encodeRequest, encodeResult, encodeSerialised } from '../encode.ts'
import { failureOf } from '../failure.ts'
import { seasonResult } from '../season.ts'
import type { Feature, HandlerCall, Prepared } from '../features/feature.ts'
import { admitQuestions } from '../questions.ts'
import { Run, type Answers, type RunAdapter } from '../run.ts'
import type { ClientRequests } from './client-requests.ts'

export type LegacyExchangeOptions = {
  readonly row: RevisionRow
  readonly facts: Omit<InvocationFacts, 'revision' | 'meta' | 'answers'>
  readonly logLevel: () => LogLevel
  readonly asked: ClientRequests
  /** Called once, when the exchange was answered or cancelled. */
  readonly over: () => void
}

const NO_META: JsonObject = {}

/** One request of a legacy session until its answer. Questions of its handler are requests to the client. */
export class LegacyExchange implements RunAdapter {
  readonly #core: ServerCore
  readonly #message: JsonRpcRequest
  readonly #sink: ReplySink
  readonly #options: LegacyExchangeOptions
  #filter: EmissionFilter | undefined
  #run: Run | undefined
  #call: HandlerCall | undefined
  #over = false

  constructor(core: ServerCore, message: JsonRpcRequest, sink: ReplySink, options: LegacyExchangeOptions) {
    this.#core = core
    this.#message = message
    this.#sink = sink
    this.#options = options
  }

  serve(feature: Feature): void {
    const { row } = this.#options
    try {
      const prepared = feature({ core: this.#core, row, params: this.#message.params ?? {} })
      if (prepared instanceof Promise) {
        prepared.then(
          (ready) => {
            this.#proceed(ready)
          },
          (error: unknown) => {
            this.#fail(error)
          },
        )
      } else this.#proceed(prepared)
    } catch (error) {
      this.#fail(error)
    }
  }

  cancel(reason: string): void {
    if (this.#over) return
    this.#finish()
    // First the run, which withdraws its questions on the same sink.
    this.#run?.cancel(reason)
    this.#sink.abandon()
  }

  emit(emission: Emission): void {
    if (this.#over) return
    this.#filter ??= new EmissionFilter(this.#meta()['progressToken'], this.#options.logLevel)
    const bytes = this.#filter.encode(emission)
    if (bytes !== undefined) this.#sink.emit(bytes)
  }

  async ask(questions: readonly Question[]): Promise<Answers> {
    await admitQuestions(questions, this.#options.facts.clientCapabilities, this.#core.validators)
    const answers = await Promise.all(questions.map((question) => this.#askOne(question)))
    return Object.fromEntries(answers)
  }

  async #askOne(question: Question): Promise<[string, JsonObject]> {
    const { asked } = this.#options
    const { id, result } = asked.open(question.method)
    const abandon = () => {
      if (!asked.forget(id)) return
      this.#sink.emit(encodeNotification('notifications/cancelled', { requestId: id }))
    }
    const signal = this.#run?.signal
    signal?.addEventListener('abort', abandon, { once: true })
    try {
      this.#sink.emit(encodeRequest(id, question.method, wireParams(question)))
      return [question.key, await result]
    } finally {
      signal?.removeEventListener('abort', abandon)
    }
  }

  #proceed(prepared: Prepared): void {
    if (this.#over) return
    if (prepared.type === 'serialised') this.#answer(encodeSerialised(this.#message.id, prepared.bytes))
    else if (prepared.type === 'result') this.#succeed(prepared.result)
    else this.#start(prepared)
  }

  #start(call: HandlerCall): void {
    const { row, facts } = this.#options
    this.#call = call
    const run = new Run(
      { ...facts, revision: row.revision, meta: this.#meta(), answers: {} },
      this.#core.store,
      this.#core.changes,
      this,
    )
    this.#run = run
    run.execute(call.timeoutMs, call.run).then(
      (result) => {
        this.#succeed(result)
      },
      (error: unknown) => {
        this.#fail(error)
      },
    )
  }

  #succeed(result: WireResult): void {
    if (this.#over) return
    try {
      this.#answer(
        encodeResult(this.#message.id, seasonResult(this.#core.info, this.#options.row, result, false)),
      )
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(thrown: unknown): void {
    if (this.#over) return
    const failure = failureOf(thrown, this.#options.row, this.#call)
    if (failure.type === 'result') this.#answer(encodeResult(this.#message.id, failure.result))
    else this.#answer(encodeError(this.#message.id, failure.error.toBody()))
  }

  #answer(bytes: Buffer): void {
    this.#finish()
    this.#sink.answer(bytes, 200)
  }

  #finish(): void {
    this.#over = true
    this.#options.over()
  }

  #meta(): JsonObject {
    const meta = this.#message.params?.['_meta']
    return isJsonObject(meta) ? meta : NO_META
  }
}

/** 2025-11-25 gives URL elicitations an id of their own. */
function wireParams({ params }: Question): JsonObject {
  if (params['mode'] !== 'url' || params['elicitationId'] !== undefined) return params
  return { ...params, elicitationId: randomUUID() }
}
