/** How long what waits to be overtaken waits at most, in milliseconds. */
const OVERTAKE_MS = 1_000

export type Holding = {
  /** Milliseconds before it goes out. */
  readonly delayMs: number
  /** The delay is of this item alone: others may overtake it. */
  readonly alone: boolean
  /** So many items overtake it. */
  readonly overtakenBy: number
  /** From this item on nothing goes out for so many milliseconds; `Infinity` is until `unstall`. */
  readonly stall?: { readonly ms: number; readonly by: string }
}

type Aside<T> = { readonly item: T; left: number; readonly timer: NodeJS.Timeout }

/** What holds something back, for who lets it go. */
export type Holder = {
  flush(): void
  unstall(isOver: (by: string) => boolean): void
}

/** Items on their way, in order except where a fault is made of it. */
export class DelayQueue<T> implements Holder {
  readonly #out: (item: T) => void
  readonly #holders: Set<Holder>
  #queue: { readonly item: T; readonly dueAt: number }[] = []
  #aside: Aside<T>[] = []
  readonly #alone = new Map<NodeJS.Timeout, T>()
  #stall: { readonly until: number; readonly by: string } | undefined
  #timer: NodeJS.Timeout | undefined

  /** `holders` has the lane in it for as long as it holds anything back. */
  constructor(out: (item: T) => void, holders: Set<Holder>) {
    this.#out = out
    this.#holders = holders
  }

  /** Nothing is held back. */
  get isEmpty(): boolean {
    return this.#queue.length + this.#aside.length + this.#alone.size === 0
  }

  /** Something waits to be overtaken. */
  get hasAside(): boolean {
    return this.#aside.length > 0
  }

  push(item: T, { delayMs, alone, overtakenBy, stall }: Holding): void {
    const now = performance.now()
    if (stall !== undefined) this.#stall = { until: now + stall.ms, by: stall.by }
    if (overtakenBy > 0) this.#setAside(item, overtakenBy)
    else if (alone && delayMs > 0 && this.#stall === undefined) this.#holdAlone(item, delayMs)
    else {
      this.#queue.push({ item, dueAt: Math.max(now + delayMs, this.#queue.at(-1)?.dueAt ?? 0) })
      this.#pump()
    }
    if (!this.isEmpty) this.#holders.add(this)
  }

  /** Lets everything go out that waits to be overtaken. */
  releaseAside(): void {
    const aside = this.#aside
    this.#aside = []
    for (const { item, timer } of aside) {
      clearTimeout(timer)
      this.#out(item)
    }
    this.#settle()
  }

  /** Ends a stall if that rule made it. */
  unstall(isOver: (by: string) => boolean): void {
    if (this.#stall === undefined || !isOver(this.#stall.by)) return
    this.#stall = undefined
    this.#pump()
  }

  /** Lets everything go out at once, in order. */
  flush(): void {
    this.#stall = undefined
    const queue = this.#queue
    this.#queue = []
    for (const { item } of queue) this.#out(item)
    for (const [timer, item] of [...this.#alone]) {
      clearTimeout(timer)
      this.#alone.delete(timer)
      this.#out(item)
    }
    this.releaseAside()
  }

  /** Forgets what is held back. */
  stop(): void {
    clearTimeout(this.#timer)
    for (const { timer } of this.#aside) clearTimeout(timer)
    for (const timer of this.#alone.keys()) clearTimeout(timer)
    this.#queue = []
    this.#aside = []
    this.#alone.clear()
    this.#settle()
  }

  #setAside(item: T, left: number): void {
    const timer = setTimeout(() => {
      this.#aside = this.#aside.filter((each) => each.timer !== timer)
      this.#out(item)
      this.#settle()
    }, OVERTAKE_MS).unref()
    this.#aside.push({ item, left, timer })
  }

  #holdAlone(item: T, delayMs: number): void {
    const timer = setTimeout(() => {
      this.#alone.delete(timer)
      this.#out(item)
      this.#settle()
    }, delayMs).unref()
    this.#alone.set(timer, item)
  }

  #pump(): void {
    clearTimeout(this.#timer)
    for (;;) {
      const [first] = this.#queue
      if (first === undefined) break
      const now = performance.now()
      const dueAt = Math.max(first.dueAt, this.#stall?.until ?? 0)
      if (now < dueAt) {
        if (dueAt !== Infinity) this.#timer = setTimeout(() => this.#pump(), Math.ceil(dueAt - now)).unref()
        break
      }
      this.#stall = undefined
      this.#queue.shift()
      this.#out(first.item)
      this.#overtake()
    }
    this.#settle()
  }

  /** One item more has gone past those that wait for it. */
  #overtake(): void {
    for (const each of this.#aside) each.left -= 1
    const over = this.#aside.filter(({ left }) => left <= 0)
    this.#aside = this.#aside.filter(({ left }) => left > 0)
    for (const { item, timer } of over) {
      clearTimeout(timer)
      this.#out(item)
    }
  }

  #settle(): void {
    if (this.isEmpty) this.#holders.delete(this)
  }
}
