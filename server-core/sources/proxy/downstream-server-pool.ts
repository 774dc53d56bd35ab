import type { Declaration } from '../../client/declaration.ts'
import type { DownstreamServer } from './downstream-server.ts'

/** Clients without a session that are kept apart at a time. */
const MAX_SERVERS = 64

type Kept = {
  readonly caller: string
  readonly opening: Promise<DownstreamServer>
  downstream: DownstreamServer | undefined
  users: number
  timer: NodeJS.Timeout | undefined
}

/**
 * The downstream servers of independent requests. Those of one caller with the same declaration share one, which
 * is kept for a while after the last.
 */
export class DownstreamServerPool {
  readonly #open: (declaration: Declaration) => Promise<DownstreamServer>
  readonly #idleMs: number
  readonly #kept = new Map<string, Kept>()

  constructor(open: (declaration: Declaration) => Promise<DownstreamServer>, idleMs: number) {
    this.#open = open
    this.#idleMs = idleMs
  }

  /** Returns the face, at once if it is there, and what says that it is not used any more. */
  use(
    caller: string,
    declaration: Declaration,
  ): { readonly downstream: DownstreamServer | Promise<DownstreamServer>; readonly done: () => void } {
    const key = JSON.stringify([caller, declaration])
    const kept = this.#kept.get(key) ?? this.#add(key, caller, declaration)
    // The one that was used last stands last.
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    kept.users += 1
    clearTimeout(kept.timer)
    let isDone = false
    const done = () => {
      if (isDone) return
      isDone = true
      kept.users -= 1
      if (kept.users > 0) return
      kept.timer = setTimeout(() => this.#drop(key, kept), this.#idleMs)
      kept.timer.unref()
    }
    return { downstream: kept.downstream ?? kept.opening, done }
  }

  /** The faces of a caller that are there. */
  of(caller: string): readonly DownstreamServer[] {
    return [...this.#kept.values()].flatMap((kept) => (kept.caller === caller ? (kept.downstream ?? []) : []))
  }

  async close(): Promise<void> {
    const all = [...this.#kept.values()]
    this.#kept.clear()
    for (const { timer } of all) clearTimeout(timer)
    await Promise.all(
      all.map(({ opening }) => opening.then((downstream) => downstream.close()).catch(() => undefined)),
    )
  }

  #add(key: string, caller: string, declaration: Declaration): Kept {
    if (this.#kept.size >= MAX_SERVERS) {
      const [idle] = [...this.#kept].filter(([, { users }]) => users === 0)
      if (idle === undefined) throw new Error(`${MAX_SERVERS} clients without a session are served already`)
      this.#drop(...idle)
    }
    const kept: Kept = {
      caller,
      opening: this.#open(declaration),
      downstream: undefined,
      users: 0,
      timer: undefined,
    }
    kept.opening.then(
      (downstream) => {
        kept.downstream = downstream
      },
      // The next request tries again.
      () => {
        if (this.#kept.get(key) === kept) this.#kept.delete(key)
      },
    )
    return kept
  }

  #drop(key: string, kept: Kept): void {
    clearTimeout(kept.timer)
    if (this.#kept.get(key) === kept) this.#kept.delete(key)
    void kept.opening.then((downstream) => downstream.close()).catch(() => undefined)
  }
}
