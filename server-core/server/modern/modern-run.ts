import { randomUUID } from 'node:crypto'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { JsonRpcRequest } from '../../protocol/messages.ts'
import {
  InputUnavailableError,
  type Emission,
  type InvocationFacts,
  type Question,
} from '../../registry/invocation.ts'
import type { RequestOrigin } from '../../ports/server-port.ts'
import { UNCACHED } from '../caching.ts'
import { handlerFacts } from '../request-context.ts'
import type { ServerCore } from '../core.ts'
import { warnOfUse } from '../deprecated/table.ts'
import type { CallInterceptor, DetachedRun, DetachedEnd } from '../extensions/extension.ts'
import type { ServedRequest } from '../extensions/served-request.ts'
import { failureOf } from '../failure.ts'
import { addResultMetadata, resultMetadataTail, type WireResult } from '../result-metadata.ts'
import type { HandlerCall } from '../features/handler-call.ts'
import { admitQuestions, embeddedQuestion, readAnswer } from '../questions.ts'
import { Run, type Answers, type FactSource, type RunAdapter, type RunEnd } from '../run.ts'
import type { Envelope } from './envelope.ts'
import type { ModernExchange, Outcome } from './exchange.ts'
import { bindingOf } from './state-cipher.ts'

const NO_ANSWERS: Answers = {}
const NOTHING_OFFERED = new Map<string, unknown>()
const NO_ENTRIES: readonly (readonly [string, unknown])[] = []

/** One `ask` of the handler that is not answered in full. */
type PendingAsk = {
  readonly open: Map<string, Question>
  readonly answers: Record<string, JsonObject>
  readonly resolve: (answers: Answers) => void
}

/** Keeps runs between rounds, and makes the state that finds them again. */
export interface RunStore {
  /** To be awaited before the first run is kept; undefined if nothing is to wait for. */
  prepare(): Promise<void> | undefined
  /** Keeps the run until a retry takes it, and gives the sealed state for the client. */
  suspend(run: ModernRun): string
}

/** An extension that may answer the call and lead the run. */
export type CallInterception = {
  readonly interceptor: CallInterceptor
  readonly request: ServedRequest
  readonly when: 'at-once' | 'by-handler'
}

export type ModernRunOptions = {
  readonly core: ServerCore
  readonly store: RunStore
  readonly call: HandlerCall
  readonly envelope: Envelope
  readonly origin: RequestOrigin
  /** The request that began the run, to which its states are bound. */
  readonly message: JsonRpcRequest
}

/**
 * A handler's run across rounds (2026-07-28, multi round-trip requests). When it asks, the round that is open is
 * answered with `input_required` and the run waits; a retry opens the next round and brings the answers.
 */
export class ModernRun implements RunAdapter, RunEnd, FactSource {
  readonly #options: ModernRunOptions
  readonly #run: Run
  /** Answers not used yet, by name. */
  readonly #offered: Map<string, unknown>
  #id: string | undefined
  #envelope: Envelope
  #round: ModernExchange | undefined
  #asks: PendingAsk[] = []
  readonly #given: Answers
  #accepted: Answers
  #acceptedInRound = 0
  #step = 0
  #flushScheduled = false
  /** The end of a run that was reached while no round was open. */
  #late: Outcome | undefined
  #interception: CallInterception | undefined
  /** The handler said that its call may be taken while no round was open. */
  #toTake: { readonly message: string | undefined } | undefined
  /** Leads the run once its call was answered. */
  #detached: DetachedRun | undefined
  /** Something was asked: the result is one of a retry. */
  #asked = false

  /** `offered`: answers that came before their questions, of an earlier run or sent with the first request. */
  constructor(options: ModernRunOptions, offered: JsonObject) {
    const { core, envelope } = options
    this.#options = options
    this.#envelope = envelope
    const given = Object.keys(offered).length === 0 ? NO_ENTRIES : Object.entries(offered)
    this.#offered = given.length === 0 ? NOTHING_OFFERED : new Map(given)
    const answers = given.length === 0 ? NO_ANSWERS : objectsOf(given)
    this.#accepted = answers
    this.#given = answers
    this.#run = new Run(this, core.store, core.changes, this)
  }

  /** Of the request that began the run. */
  facts(): InvocationFacts {
    const { envelope, origin } = this.#options
    return {
      revision: envelope.row.revision,
      ...handlerFacts(origin),
      clientCapabilities: envelope.clientCapabilities,
      meta: envelope.meta,
      answers: this.#given,
      ...(envelope.clientInfo === undefined ? {} : { clientInfo: envelope.clientInfo }),
    }
  }

  /** Names the run in sealed states. */
  get id(): string {
    return (this.#id ??= randomUUID())
  }

  /** Whose run it is. */
  get caller(): string {
    return this.#options.origin.caller
  }

  get reentrant(): boolean {
    return this.#options.call.reentrant
  }

  /** How often the run went on after answers; a state of an earlier step is used up. */
  get step(): number {
    return this.#step
  }

  /** Whether the round that is open, or was last, brought an answer that counted. */
  get advanced(): boolean {
    return this.#acceptedInRound > 0
  }

  /** The answers so far, which a run from the top needs again. */
  get accepted(): Answers {
    return this.#accepted
  }

  get binding(): string {
    const { origin, message } = this.#options
    return bindingOf(origin.caller, message.method, message.params ?? {})
  }

  begin(round: ModernExchange, interception: CallInterception | undefined): void {
    this.#open(round)
    this.#interception = interception
    this.#acceptedInRound = this.#accepted === NO_ANSWERS ? 0 : Object.keys(this.#accepted).length
    const { call } = this.#options
    if (interception?.when === 'at-once' && !this.#detach(undefined)) return
    this.#run.execute(call, this)
  }

  succeeded(result: WireResult): void {
    const { call, core, envelope } = this.#options
    // What answers went into is for their caller alone.
    const retried = this.#asked || this.#acceptedInRound > 0
    const cache = call.cache !== undefined && retried ? UNCACHED : call.cache
    if (cache === undefined && this.#detached === undefined && !core.extensions.marksResults) {
      const tail = resultMetadataTail(core.info, envelope.row, result)
      if (tail !== undefined) {
        this.#settle({ type: 'result', result, tail })
        return
      }
    }
    this.#settle({
      type: 'result',
      result: addResultMetadata(core.info, envelope.row, result, cache ?? false),
    })
  }

  failed(error: unknown): void {
    this.#settle(this.#failed(error))
  }

  /** Goes on with the answers of a retry; what is missing or unusable is asked again. */
  async resume(
    round: ModernExchange,
    envelope: Envelope,
    responses: JsonObject,
    interception: CallInterception | undefined,
  ): Promise<void> {
    this.#envelope = envelope
    this.#interception = interception
    this.#open(round)
    if (this.#late !== undefined) {
      this.#settle(this.#late)
      return
    }
    for (const ask of [...this.#asks]) {
      for (const question of [...ask.open.values()]) {
        const given = Object.hasOwn(responses, question.key) ? responses[question.key] : undefined
        if (given === undefined) continue
        const answer = await this.#accept(question, given)
        if (answer === undefined) continue
        ask.answers[question.key] = answer
        ask.open.delete(question.key)
      }
    }
    if (this.advanced) this.#step += 1
    const answered = this.#asks.filter((ask) => ask.open.size === 0)
    this.#asks = this.#asks.filter((ask) => ask.open.size > 0)
    if (this.#toTake !== undefined && !this.#detach(this.#toTake.message)) return
    for (const ask of answered) ask.resolve(ask.answers)
    if (this.#asks.length > 0) this.#askOn()
  }

  cancel(reason: string): void {
    this.#round = undefined
    this.#run.cancel(reason)
  }

  emit(emission: Emission): void {
    warnOfUse(emission.type)
    if (this.#detached !== undefined) {
      this.#detached.emit(emission)
      return
    }
    if (emission.type === 'task') {
      if (this.#interception?.when !== 'by-handler' && this.#round !== undefined) return
      if (this.#round === undefined) this.#toTake = { message: emission.message }
      else this.#detach(emission.message)
      return
    }
    this.#round?.emit(emission, this.#envelope.meta)
  }

  async ask(questions: readonly Question[]): Promise<Answers> {
    if (!this.#options.call.mayAsk) {
      throw new ProtocolError(ErrorCode.internalError, 'the client cannot be asked while it is served a list')
    }
    for (const { method } of questions) warnOfUse(method)
    await admitQuestions(questions, this.#envelope.clientCapabilities, this.#options.core.validators)
    await this.#options.store.prepare()
    const answers: Record<string, JsonObject> = {}
    const open = new Map<string, Question>()
    for (const question of questions) {
      // An answer that was given ahead counts once: asked again, the client is asked again.
      const given = this.#offered.get(question.key)
      this.#offered.delete(question.key)
      const answer = given === undefined ? undefined : await this.#accept(question, given)
      if (answer === undefined) open.set(question.key, question)
      else answers[question.key] = answer
    }
    if (open.size === 0) return answers
    this.#asked = true
    if (this.#asks.some((ask) => [...open.keys()].some((key) => ask.open.has(key)))) {
      throw new ProtocolError(ErrorCode.internalError, 'two questions that wait together need two keys')
    }
    return new Promise((resolve) => {
      this.#asks.push({ open, answers, resolve })
      this.#askOn()
    })
  }

  async #accept(question: Question, given: unknown): Promise<JsonObject | undefined> {
    const read = await readAnswer(question, given, this.#options.core.validators)
    if (!('answer' in read)) return undefined
    this.#accepted = { ...this.#accepted, [question.key]: read.answer }
    this.#acceptedInRound += 1
    return read.answer
  }

  #open(round: ModernExchange): void {
    this.#round = round
    this.#acceptedInRound = 0
    round.leads(this)
  }

  /**
   * Has an extension answer the call and lead the run from here on; false if that ended it. No effect if the extension
   * leaves the call after all.
   */
  #detach(message: string | undefined): boolean {
    const round = this.#round
    if (round === undefined || this.#interception === undefined || this.#detached !== undefined) return true
    const { core, call, envelope } = this.#options
    const { interceptor, request } = this.#interception
    this.#toTake = undefined
    try {
      const cancel = (reason: string): void => {
        this.#run.cancel(reason)
      }
      this.#detached = interceptor.take(call, request, { cancel }, message)
    } catch (error) {
      this.#settle(this.#failed(error))
      this.#run.cancel('the call was refused')
      return false
    }
    if (this.#detached === undefined) return true
    this.#round = undefined
    const result = { ...this.#detached.result }
    round.answer({ type: 'result', result: addResultMetadata(core.info, envelope.row, result, false) })
    this.#askOn()
    return true
  }

  /** What waits for answers goes to whoever leads the run. */
  #askOn(): void {
    const leader = this.#detached
    if (leader === undefined) {
      this.#scheduleFlush()
      return
    }
    for (const { open, answers, resolve } of this.#asks.splice(0)) {
      // If this rejects, the run has ended, and with it whoever waits.
      leader.ask([...open.values()]).then(
        (given) => {
          resolve({ ...answers, ...given })
        },
        (error: unknown) => {
          this.#settle(this.#failed(error))
        },
      )
    }
  }

  /** Questions of one turn go out together. */
  #scheduleFlush(): void {
    if (this.#flushScheduled) return
    this.#flushScheduled = true
    setImmediate(() => {
      this.#flushScheduled = false
      this.#askClient()
    })
  }

  #askClient(): void {
    const round = this.#round
    if (round === undefined || this.#asks.length === 0) return
    this.#round = undefined
    const inputRequests: Record<string, JsonObject> = {}
    for (const ask of this.#asks) {
      for (const question of ask.open.values()) inputRequests[question.key] = embeddedQuestion(question)
    }
    const { core } = this.#options
    const result = {
      resultType: 'input_required',
      inputRequests,
      requestState: this.#options.store.suspend(this),
    }
    round.answer({ type: 'result', result: addResultMetadata(core.info, this.#envelope.row, result, false) })
  }

  #failed(error: unknown): Outcome {
    const { core, envelope, call } = this.#options
    const failure = failureOf(error, envelope.row, call)
    if (failure.type === 'result') {
      return { type: 'result', result: addResultMetadata(core.info, envelope.row, failure.result, false) }
    }
    // A handler may pass on what another server told it; only what it asked for here is this client's to change.
    const status = error instanceof InputUnavailableError ? 400 : 200
    return { type: 'error', error: failure.error, status }
  }

  #settle(outcome: Outcome): void {
    if (this.#detached !== undefined) {
      this.#detached.ended(endOf(outcome, (error) => this.#failed(error)))
      return
    }
    const round = this.#round
    if (round === undefined) {
      this.#late = outcome
      return
    }
    this.#round = undefined
    try {
      round.answer(outcome)
    } catch (error) {
      round.answer(this.#failed(error))
    }
  }
}

/** The end of a run for whoever leads it; a result that JSON cannot carry is a fault. */
function endOf(outcome: Outcome, failed: (error: unknown) => Outcome): DetachedEnd {
  if (outcome.type === 'error') return { type: 'error', ...outcome.error.toBody() }
  if (outcome.type === 'serialised') throw new TypeError('a run of a handler gives no serialised result')
  try {
    JSON.stringify(outcome.result)
    return { type: 'result', result: outcome.result, isError: outcome.result['isError'] === true }
  } catch (error) {
    return endOf(failed(error), failed)
  }
}

function objectsOf(given: readonly (readonly [string, unknown])[]): Answers {
  const objects: [string, JsonObject][] = []
  for (const [key, value] of given) if (isJsonObject(value)) objects.push([key, value])
  return Object.fromEntries(objects)
}
