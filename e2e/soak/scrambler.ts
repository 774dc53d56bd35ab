import type { Random } from '../random.ts'

/** A request as the scrambler takes it, and the way back to whoever sent it. */
export type Waiting = {
  readonly id: unknown
  readonly nonce: unknown
  readonly progressToken: unknown
  send(message: unknown): void
  /** Nothing more is sent to it. */
  done(): void
}

type Sending = { readonly to: Waiting; readonly message: unknown }

/** Answers that wait together before they are shuffled, at most. */
const LARGEST_WINDOW = 150
const IDLE_MS = 5
/** A nonce that nobody has: whoever gets it got another's answer. */
const WRONG = { nonce: -1 }

/**
 * Answers requests as no server should: shuffled, late, doubled with other contents, to ids as text, to ids that are not
 * there yet, several in one array, beside the answers to others. The first answer to an id is the right one.
 */
export class Scrambler {
  readonly #random: Random
  #waiting: Waiting[] = []
  #late: Waiting[] = []
  #window = 1
  #idle: NodeJS.Timeout | undefined

  constructor(random: Random) {
    this.#random = random
  }

  take(waiting: Waiting): void {
    this.#waiting.push(waiting)
    clearTimeout(this.#idle)
    if (this.#waiting.length >= this.#window) this.#answer(false)
    else this.#idle = setTimeout(() => this.#answer(true), IDLE_MS)
  }

  #answer(isIdle: boolean): void {
    const random = this.#random
    this.#window = 1 + random.below(LARGEST_WINDOW)
    const late = isIdle ? [] : this.#waiting.filter(() => random.probability(0.05))
    const now = [...this.#waiting.filter((one) => !late.includes(one)), ...this.#late]
    this.#waiting = []
    this.#late = late
    this.#shuffle(now)
    const sendings = now.flatMap((one) => this.#answersTo(one, now))
    const doubles = sendings.filter(() => random.probability(0.15))
    for (const { to, message } of sendings) to.send(message)
    for (const { to } of doubles) to.send(this.#double(to))
    for (const one of now) one.done()
    if (late.length > 0) this.#idle = setTimeout(() => this.#answer(true), IDLE_MS)
  }

  /** What goes out for one request; the right answer is the first that has its id. */
  #answersTo(one: Waiting, all: readonly Waiting[]): Sending[] {
    const random = this.#random
    const { id, nonce, progressToken } = one
    const other = all[random.below(all.length)] ?? one
    const answer = { jsonrpc: '2.0', id, result: { content: [], nonce } }
    const sendings: Sending[] = []
    if (random.probability(0.1)) sendings.push({ to: other, message: this.#stray(id) })
    if (progressToken !== undefined && random.probability(0.5)) {
      const params = { progressToken, progress: 1, message: String(nonce) }
      sendings.push({ to: one, message: { jsonrpc: '2.0', method: 'notifications/progress', params } })
    }
    const isBatch = random.probability(0.05)
    sendings.push({ to: one, message: isBatch ? [this.#stray(id), answer] : answer })
    if (random.probability(0.05)) sendings.push({ to: one, message: this.#double(one) })
    return sendings
  }

  #double({ id }: Waiting): unknown {
    const error = { code: -32603, message: 'not yours' }
    return this.#random.probability(0.5)
      ? { jsonrpc: '2.0', id, result: { content: [], ...WRONG } }
      : { jsonrpc: '2.0', id, error }
  }

  /** An answer to nobody: an id of another type, one that is far off, or one that comes later. */
  #stray(id: unknown): unknown {
    const number = Number(id)
    const other = this.#random.pick<unknown>([String(id), number + 5_000_000, null, number + 0.5, [id]])
    return { jsonrpc: '2.0', id: other, result: { content: [], ...WRONG } }
  }

  #shuffle(items: Waiting[]): void {
    for (let last = items.length - 1; last > 0; last -= 1) {
      const other = this.#random.below(last + 1)
      const [a, b] = [items[last], items[other]]
      if (a === undefined || b === undefined) continue
      items[last] = b
      items[other] = a
    }
  }
}
