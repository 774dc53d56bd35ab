import type { Parsed } from '../protocol/parsed.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { JsonObject } from '../protocol/json.ts'
import { ClientAnswerError, QuestionError, type Asking } from './answers.ts'
import type { Invocation } from './invocation.ts'

/** How often one question is asked at most before its handler gets an error. */
const MAX_ROUNDS = 10

type Pending = {
  readonly key: string
  readonly asking: Asking<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  /** Why the last answer could not be used. */
  problem?: string
}

/**
 * The questions of one handler run. Those asked in the same turn of the event loop go out together, each under
 * its name. An answer that is already among the invocation's facts is taken without asking; one that is missing
 * or invalid is asked for again.
 */
export class Questions {
  readonly #invocation: Invocation
  readonly #keys = new Set<string>()
  #unnamed = 0
  #gathering: Pending[] = []

  constructor(invocation: Invocation) {
    this.#invocation = invocation
  }

  /**
   * Asks, and gives the value that `asking.read` makes of the answer. Rejects with what `read` or `params`
   * throws, a `QuestionError` (name used twice, no usable answer), a `ClientAnswerError` (the client answered
   * with an error), or an `InputUnavailableError` (it cannot answer such questions).
   */
  ask<T>(asking: Asking<T>): Promise<T> {
    const key = asking.key ?? this.#nextKey()
    if (this.#keys.has(key)) {
      const message = `This call has already asked a question named "${key}"; give each question its own key.`
      return Promise.reject(new QuestionError(message))
    }
    this.#keys.add(key)
    return new Promise<T>((resolve, reject) => {
      if (this.#gathering.length === 0) setImmediate(() => void this.#send())
      const settle = resolve as (value: unknown) => void
      this.#gathering.push({ key, asking, resolve: settle, reject })
    })
  }

  #nextKey(): string {
    this.#unnamed += 1
    return `q${this.#unnamed}`
  }

  async #send(): Promise<void> {
    const gathered = this.#gathering
    this.#gathering = []
    let open = await this.#take(gathered, this.#invocation.facts.answers, true)
    for (let round = 0; open.length > 0; round += 1) {
      const askable = open.flatMap((pending) => {
        if (round < (pending.asking.rounds ?? MAX_ROUNDS)) return this.#question(pending)
        pending.reject(noAnswer(pending))
        return []
      })
      if (askable.length === 0) return
      try {
        const answers = await this.#invocation.ask(askable.map(({ question }) => question))
        const asked = askable.map(({ pending }) => pending)
        open = await this.#take(asked, answers, false)
      } catch (error) {
        for (const { pending } of askable) pending.reject(ownError(error))
        return
      }
    }
  }

  /** Settles what has a usable answer and gives the rest. */
  async #take(
    open: readonly Pending[],
    answers: Readonly<Record<string, JsonObject>>,
    carried: boolean,
  ): Promise<Pending[]> {
    const settled = await Promise.all(open.map((pending) => settle(pending, answers, carried)))
    return open.filter((_, index) => settled[index] === false)
  }

  #question(pending: Pending) {
    const { key, asking, problem } = pending
    const { method, after } = asking
    try {
      const question = {
        key,
        method,
        params: asking.params(problem),
        ...(after === undefined ? {} : { after }),
      }
      return [{ pending, question }]
    } catch (error) {
      pending.reject(error)
      return []
    }
  }
}

async function settle(
  pending: Pending,
  answers: Readonly<Record<string, JsonObject>>,
  carried: boolean,
): Promise<boolean> {
  const answer = Object.hasOwn(answers, pending.key) ? answers[pending.key] : undefined
  if (answer === undefined) {
    if (!carried) pending.problem = 'there was none'
    return false
  }
  try {
    const reading: Parsed<unknown> = await pending.asking.read(answer, pending.key)
    if (reading.ok) pending.resolve(reading.value)
    else pending.problem = reading.reason
    return reading.ok
  } catch (error) {
    pending.reject(error)
    return true
  }
}

function noAnswer({ key, asking, problem }: Pending): QuestionError {
  const reason = problem === undefined ? '' : ` The last time: ${problem}.`
  const rounds = asking.rounds ?? MAX_ROUNDS
  return new QuestionError(`Question "${key}" got no usable answer in ${rounds} rounds.${reason}`)
}

/** An error that the client sent as an answer must not become the answer to the client's own request. */
function ownError(error: unknown): unknown {
  if (!(error instanceof ProtocolError)) return error
  return new ClientAnswerError(error.code, error.message, error.data, { cause: error })
}
