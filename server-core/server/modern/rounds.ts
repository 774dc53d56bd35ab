import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { RequestOrigin } from '../../ports/server-port.ts'
import type { ServerCore } from '../core.ts'
import { failureOf } from '../failure.ts'
import type { HandlerCall } from '../features/handler-call.ts'
import type { Envelope } from './envelope.ts'
import type { ModernExchange, Outcome } from './exchange.ts'
import { ModernRun, type RunStore, type CallInterception } from './modern-run.ts'
import { ReplayCache } from './replay-cache.ts'
import { bindingOf, StateCipher, type SealKey } from './state-cipher.ts'
import { SuspendedRuns } from './suspended-runs.ts'

/** What a sealed state says. */
type RoundState = {
  readonly run: string
  readonly step: number
  /** Milliseconds since 1970: another process, or this one after a restart, has no other clock in common. */
  readonly expires: number
  readonly answers: JsonObject
}

/** What a retry brings. */
type Retry = { readonly responses: JsonObject; readonly requestState: unknown }

const NOTHING: JsonObject = {}

/** Starts handlers' runs and leads each retry to the run that asked (2026-07-28, multi round-trip requests). */
export class Rounds implements RunStore {
  readonly #core: ServerCore
  readonly #sealer: StateCipher
  readonly #suspended: SuspendedRuns
  readonly #replayCache = new ReplayCache()

  constructor(core: ServerCore, sealKey: SealKey | undefined) {
    this.#core = core
    this.#sealer = new StateCipher(sealKey)
    this.#suspended = new SuspendedRuns(core.limits)
  }

  /** Throws a `ProtocolError` (`invalidParams`) for a state or answers that cannot be used. */
  serve(
    exchange: ModernExchange,
    call: HandlerCall,
    envelope: Envelope,
    origin: RequestOrigin,
    interception: CallInterception | undefined,
  ): void {
    const { params = NOTHING } = exchange.message
    const { inputResponses: responses = NOTHING, requestState } = call.mayAsk ? params : NOTHING
    if (!isJsonObject(responses)) throw invalidParams('inputResponses must be an object')
    if (requestState === undefined) {
      this.#runOf(exchange, call, envelope, origin, responses).begin(exchange, interception)
    } else this.#resume(exchange, call, envelope, origin, interception, { responses, requestState })
  }

  #runOf(
    exchange: ModernExchange,
    call: HandlerCall,
    envelope: Envelope,
    origin: RequestOrigin,
    answers: JsonObject,
  ): ModernRun {
    const { message } = exchange
    return new ModernRun({ core: this.#core, store: this, call, envelope, origin, message }, answers)
  }

  #resume(
    exchange: ModernExchange,
    call: HandlerCall,
    envelope: Envelope,
    origin: RequestOrigin,
    interception: CallInterception | undefined,
    { responses, requestState }: Retry,
  ): void {
    const { method, params = NOTHING } = exchange.message
    const preparing = this.#sealer.prepare()
    if (preparing !== undefined) {
      preparing
        .then(() => {
          this.serve(exchange, call, envelope, origin, interception)
        })
        .catch((error: unknown) => {
          const failure = failureOf(error, envelope.row, undefined)
          if (failure.type === 'error') exchange.answer({ ...failure, status: 200 })
        })
      return
    }
    const state = this.#open(requestState, bindingOf(origin.caller, method, params))
    const key = `${state.run} ${state.step}`
    const replay = this.#replayCache.get(key)
    if (replay !== undefined) {
      repeat(exchange, replay)
      return
    }
    const waiting = this.#suspended.take(state.run, state.step)
    // A run that is here has a timer of its own, which the clock of the day does not change.
    if (waiting === undefined && Date.now() > state.expires) {
      throw invalidParams('requestState has expired; call again without it')
    }
    if (waiting === undefined && !call.reentrant) {
      throw invalidParams(
        'the run that asked has ended (it waited too long, or the server was restarted); call again without requestState',
      )
    }
    const settled = Promise.withResolvers<Outcome | undefined>()
    exchange.onSettled(settled.resolve)
    const answers = { ...state.answers, ...responses }
    const run = waiting ?? this.#runOf(exchange, call, envelope, origin, answers)
    if (waiting === undefined) run.begin(exchange, interception)
    // A round that brought nothing usable leaves its state as good as it was.
    this.#replayCache.add(key, settled.promise, () => run.advanced)
    if (waiting !== undefined) void waiting.resume(exchange, envelope, responses, interception)
  }

  prepare(): Promise<void> | undefined {
    return this.#sealer.prepare()
  }

  suspend(run: ModernRun): string {
    this.#suspended.add(run)
    const expires = Date.now() + this.#core.limits.suspendedRunMs
    const answers = run.reentrant ? run.accepted : NOTHING
    return this.#sealer.seal({ run: run.id, step: run.step, expires, answers }, run.binding)
  }

  close(): void {
    this.#suspended.close()
    this.#replayCache.close()
  }

  #open(text: unknown, binding: string): RoundState {
    const payload = typeof text === 'string' ? this.#sealer.open(text, binding) : undefined
    if (payload === undefined) {
      throw invalidParams('requestState is not one that was given for this request; call again without it')
    }
    const { run, step, expires, answers } = payload
    if (typeof run !== 'string' || typeof step !== 'number' || typeof expires !== 'number') {
      throw invalidParams('requestState is of another kind; call again without it')
    }
    return { run, step, expires, answers: isJsonObject(answers) ? answers : NOTHING }
  }
}

function repeat(exchange: ModernExchange, replay: Promise<Outcome | undefined>): void {
  void replay.then((outcome) => {
    exchange.answer(
      outcome ?? {
        type: 'error',
        error: invalidParams('the run was cancelled; call again without requestState'),
        status: 200,
      },
    )
  })
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.invalidParams, `Invalid params: ${message}`)
}
