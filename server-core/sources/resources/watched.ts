import type { Upstream } from '../../registry/upstream.ts'

/** The `upstream` of a registry that offers everything ours does, and handles subscriptions. */
export function watchedUpstream(subscribe: (uri: string) => Promise<() => void>): Upstream {
  return {
    offers: () => true,
    subscribe,
    session: () => ({ onMessage: () => undefined, ended: () => undefined }),
  }
}

/** Something that goes on as long as anybody wants it. */
export class WhileWanted {
  readonly #begin: () => Promise<() => void>
  #users = 0
  #going: Promise<() => void> | undefined

  /** @param begin gives what ends it */
  constructor(begin: () => Promise<() => void>) {
    this.#begin = begin
  }

  /** Returns what says that it is not wanted any more. Rejects with what keeps it from beginning. */
  async want(): Promise<() => void> {
    this.#users += 1
    const going = (this.#going ??= this.#begin())
    try {
      await going
    } catch (error) {
      this.#users -= 1
      if (this.#going === going) this.#going = undefined
      throw error
    }
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#users -= 1
      if (this.#users > 0) return
      this.#going = undefined
      void going.then((end) => end())
    }
  }

  async close(): Promise<void> {
    const going = this.#going
    this.#going = undefined
    const end = await going?.catch(() => undefined)
    end?.()
  }
}
