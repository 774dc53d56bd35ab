import { isJsonObject } from '../protocol/json.ts'
import { LifespanError } from './errors.ts'
import { handlerErrorText } from './handler-errors.ts'

/** A value that lives as long as the server, and what takes it down. */
export type Living<L> = { readonly value: L; readonly dispose?: () => unknown }

/**
 * Makes what handlers share: a generator that yields it once and cleans up after that, or a function that gives it
 * together with `dispose`.
 */
export type Lifespan<L> = () => AsyncIterator<L, unknown, undefined> | Living<L> | Promise<Living<L>>

/** Milliseconds that `stop` waits for calls that still hold the value. */
const DEFAULT_GRACE_MS = 2_000

/**
 * Runs a lifespan: at the first call or an explicit start, once for all who come at the same time. A start that fails
 * fails those calls, and the next call tries again. After a stop the next call starts it again.
 */
export class LifespanRunner {
  readonly #lifespan: Lifespan<unknown>
  #living: Promise<Living<unknown>> | undefined
  #stopping: Promise<void> | undefined
  #holders = 0
  #released: (() => void) | undefined

  constructor(lifespan: Lifespan<unknown>) {
    this.#lifespan = lifespan
  }

  /** Rejects with a `LifespanError` that says why it cannot start. */
  async start(): Promise<void> {
    await this.#started()
  }

  /** Runs work that holds the value. Rejects with a `LifespanError`, or with what the work rejects with. */
  async hold<T>(work: (value: unknown) => Promise<T>): Promise<T> {
    const { value } = await this.#started()
    this.#holders += 1
    try {
      return await work(value)
    } finally {
      this.#holders -= 1
      if (this.#holders === 0) this.#released?.()
    }
  }

  /**
   * Cleans up, once for each start: when no call holds the value any more, at the latest after `graceMs`
   * milliseconds. Rejects with what the clean-up throws.
   */
  stop(graceMs = DEFAULT_GRACE_MS): Promise<void> {
    this.#stopping ??= this.#stop(graceMs).finally(() => {
      this.#stopping = undefined
    })
    return this.#stopping
  }

  async #started(): Promise<Living<unknown>> {
    while (this.#stopping !== undefined) await this.#stopping.catch(() => undefined)
    if (this.#living === undefined) {
      const living = begin(this.#lifespan)
      this.#living = living
      living.catch(() => {
        if (this.#living === living) this.#living = undefined
      })
    }
    return this.#living
  }

  async #stop(graceMs: number): Promise<void> {
    const living = await this.#living?.catch(() => undefined)
    this.#living = undefined
    if (living === undefined) return
    if (this.#holders > 0) await this.#untilReleased(graceMs)
    await living.dispose?.()
  }

  #untilReleased(graceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#released = undefined
        resolve()
      }
      const timer = setTimeout(done, graceMs)
      this.#released = done
    })
  }
}

async function begin(lifespan: Lifespan<unknown>): Promise<Living<unknown>> {
  try {
    // What no compiler has seen may give anything.
    const made: unknown = await lifespan()
    if (isIterator(made)) return await firstOf(made)
    if (isLiving(made)) return made
    throw new LifespanError(
      'The lifespan of this server gave no value: give { value, dispose }, or yield it from a generator.',
    )
  } catch (cause) {
    if (cause instanceof LifespanError) throw cause
    throw new LifespanError(`The lifespan of this server could not start: ${handlerErrorText(cause)}`, {
      cause,
    })
  }
}

function isLiving(made: unknown): made is Living<unknown> {
  return isJsonObject(made) && 'value' in made
}

function isIterator(made: unknown): made is AsyncIterator<unknown, unknown, undefined> {
  return isJsonObject(made) && typeof made['next'] === 'function'
}

/** A generator's value is what it yields; going on runs what it does after that. */
async function firstOf(iterator: AsyncIterator<unknown, unknown, undefined>): Promise<Living<unknown>> {
  const first = await iterator.next()
  if (first.done === true) {
    throw new LifespanError('The lifespan of this server gave no value: a generator must yield it.')
  }
  return {
    value: first.value,
    dispose: async () => {
      const rest = await iterator.next()
      if (rest.done === true) return
      await iterator.return?.()
      throw new LifespanError(
        'The lifespan of this server yields more than once; it must end after the first.',
      )
    },
  }
}
