import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import type { ResponderLimits } from './settings.ts'

const MINUTE_MS = 60_000

/** Counts the questions of one server, and refuses those that are too many. Time is any clock that does not go back. */
export class QuestionRates {
  #open = 0
  /** When the questions of the last minute came, oldest first. */
  #times: number[] = []

  get open(): number {
    return this.#open
  }

  /**
   * Lets a question in and gives the function that ends it. Throws a `ProtocolError` that names the limit otherwise,
   * for the server to read.
   */
  enter(limits: Pick<ResponderLimits, 'questionsPerMinute' | 'openQuestions'>, now: number): () => void {
    const { questionsPerMinute, openQuestions } = limits
    if (this.#open >= openQuestions) {
      const reason = `${this.#open} questions of this server wait for an answer already, and that is what may`
      throw refusal(reason, { limit: 'openQuestions', value: openQuestions })
    }
    if (this.#times.length >= questionsPerMinute) {
      this.#times = this.#times.filter((time) => now - time < MINUTE_MS)
      const oldest = this.#times[this.#times.length - questionsPerMinute]
      if (oldest !== undefined) {
        const retryAfterMs = Math.ceil(oldest + MINUTE_MS - now)
        const reason = `more than ${questionsPerMinute} questions came within a minute; try again in ${retryAfterMs} ms`
        throw refusal(reason, { limit: 'questionsPerMinute', value: questionsPerMinute, retryAfterMs })
      }
    }
    this.#times.push(now)
    this.#open += 1
    let isOpen = true
    return () => {
      if (isOpen) this.#open -= 1
      isOpen = false
    }
  }
}

function refusal(reason: string, data: object): ProtocolError {
  return new ProtocolError(ErrorCode.internalError, `too many questions: ${reason}`, data)
}
