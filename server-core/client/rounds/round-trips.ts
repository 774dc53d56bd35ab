import { setTimeout as wait } from 'node:timers/promises'
import type { JsonObject } from '../../protocol/json.ts'
import type { Era } from '../../protocol/revisions.ts'
import type { TransportError } from '../../ports/contract.ts'
import type { Answering } from '../answers/answering.ts'
import { InvalidAnswerError, PeerError, RequestFailedError } from '../errors.ts'
import type { Events } from '../events.ts'
import { QuestionWithdrawn } from '../answers/question-withdrawn.ts'
import type { RequestOptions, RequestResult, RoundOutcome } from '../request-options.ts'
import {
  beginRounds,
  nextStep,
  openQuestions,
  paramsOfRound,
  pauseBefore,
  withAnswer,
  type InputRequest,
  type Rounds,
} from './rounds.ts'
import type { Sender } from '../sender.ts'
import { requiredUrls, visitUrls } from './required-urls.ts'
import { messageOf } from '../../protocol/error-message.ts'

export type RoundTripOptions = {
  readonly era: Era
  readonly sender: Sender
  readonly answering: Answering
  readonly events: Events
  readonly extensionTypes: readonly string[]
  /** Resolves when the connection has ended. */
  readonly closed: Promise<TransportError>
}

/** Leads requests through their rounds (2026-07-28: multi round-trip requests): the questions go to the responders. */
export class RoundTrips {
  readonly #options: RoundTripOptions

  constructor(options: RoundTripOptions) {
    this.#options = options
  }

  /**
   * Sends a request to its end, and says whether it took more than one round. Most are over after one message each way,
   * and nothing is made for the others until then.
   */
  async request(
    method: string,
    params: JsonObject | undefined,
    options: RequestOptions,
  ): Promise<RequestResult & { readonly inRounds: boolean }> {
    const { era, sender, events } = this.#options
    if (era === 'legacy') return this.#requestInSession(method, params, options)
    const { result, bytes } = await sender.send(method, params, options)
    const type = result['resultType']
    if (type === 'complete') return { result, bytes, inRounds: false }
    if (type === undefined) {
      if (events.has('warning')) events.emit('warning', `the result of ${method} has no resultType`)
      return { result, bytes, inRounds: false }
    }
    let outcome = this.#read(beginRounds(method, params ?? {}), { result, bytes })
    while (outcome.type === 'ask' && options.rounds !== 'manual') {
      const answered = await this.#answered(outcome.rounds, outcome.bytes, options.signal)
      outcome = await this.sendRound(answered, options)
    }
    return { result: outcome.result, bytes: outcome.bytes, inRounds: true }
  }

  /** A server that needs its user at a URL first (2025-11-25) is asked again when that is done, once. */
  async #requestInSession(
    method: string,
    params: JsonObject | undefined,
    options: RequestOptions,
  ): Promise<RequestResult & { readonly inRounds: boolean }> {
    const { sender, answering, events, closed } = this.#options
    try {
      const { result, bytes } = await sender.send(method, params, options)
      return { result, bytes, inRounds: false }
    } catch (error) {
      if (!(error instanceof PeerError) || options.rounds === 'manual') throw error
      const urls = requiredUrls(error)
      if (urls.length === 0 || !answering.offersUrls) throw error
      await visitUrls(urls, error, { answering, events, closed, signal: options.signal })
    }
    const { result, bytes } = await sender.send(method, params, options)
    return { result, bytes, inRounds: true }
  }

  /** Sends one round. */
  async sendRound(rounds: Rounds, options: RequestOptions): Promise<RoundOutcome> {
    const pause = pauseBefore(rounds)
    if (pause > 0) await this.#pause(pause, options.signal)
    const { result, bytes } = await this.#options.sender.send(rounds.method, paramsOfRound(rounds), options)
    if (this.#options.era === 'legacy') return { type: 'complete', result, bytes }
    return this.#read(rounds, { result, bytes })
  }

  /**
   * Has one question in an answer answered by its responder. Throws a `RequestFailedError` that names the question and
   * says why there is no answer to it.
   */
  async answerFor(
    key: string,
    { method, params }: InputRequest,
    { bytes, signal }: { readonly bytes: Uint8Array; readonly signal: AbortSignal },
  ): Promise<JsonObject> {
    const { answering, events } = this.#options
    try {
      return await answering.answer(method, params, { key, bytes, signal })
    } catch (cause) {
      if (cause instanceof InvalidAnswerError)
        events.emit('answerRefused', { method, params, faults: cause.faults })
      const reason = messageOf(cause)
      const message = `the server sent ${method} ("${key}"), and this client did not answer it: ${reason}`
      throw new RequestFailedError('input-required', message, { bytes, cause })
    }
  }

  #read(rounds: Rounds, answer: RequestResult): RoundOutcome {
    const step = nextStep(rounds, answer.result, { extensionTypes: this.#options.extensionTypes })
    switch (step.type) {
      case 'complete':
        return { type: 'complete', ...answer }
      case 'ask':
        return { type: 'ask', rounds: step.rounds, ...answer }
      case 'endless':
        throw new RequestFailedError('too-many-rounds', step.reason, { bytes: answer.bytes })
      case 'invalid':
        throw new RequestFailedError('invalid-answer', step.reason, { bytes: answer.bytes })
    }
  }

  async #pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    try {
      await wait(milliseconds, undefined, signal === undefined ? {} : { signal })
    } catch (cause) {
      throw new RequestFailedError('cancelled', 'the request was cancelled between two rounds', { cause })
    }
  }

  /** The state with every open question answered by its responder. */
  async #answered(rounds: Rounds, bytes: Uint8Array, given: AbortSignal | undefined): Promise<Rounds> {
    const over = new AbortController()
    const { signal } = over
    const givenUp = new Promise<never>((_resolve, reject) => {
      const give = (code: 'closed' | 'cancelled', reason: string): void => {
        over.abort(new QuestionWithdrawn(code === 'closed' ? 'connection' : 'call'))
        reject(new RequestFailedError(code, `${reason} before the server's questions were answered`))
      }
      given?.addEventListener('abort', () => give('cancelled', 'the request was cancelled'), {
        once: true,
        signal,
      })
      void this.#options.closed.then(({ message }) => give('closed', `the connection ended (${message})`))
    })
    try {
      const found = openQuestions(rounds).map(
        async ([key, question]) => [key, await this.answerFor(key, question, { bytes, signal })] as const,
      )
      let answered = rounds
      for (const [key, result] of await Promise.race([Promise.all(found), givenUp]))
        answered = withAnswer(answered, key, result)
      return answered
    } finally {
      // Whoever still looks for an answer need not any more.
      over.abort()
    }
  }
}
