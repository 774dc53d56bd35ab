import type { Measured } from '../channel.ts'

/** Milliseconds between two looks at the memory of the process. */
const PERIOD_MS = 50
/** Milliseconds that a Worker may take to say what it holds. */
const MEASURE_MS = 200
/** Milliseconds after which memory that was freed should be gone. */
const SETTLE_MS = 250

type Watched = {
  readonly memoryMegabytes: number
  measure(): Promise<Measured | undefined>
  end(reason: string): void
}

/**
 * Ends Workers that hold more memory than they may: buffers are outside the limits of their heaps. Looks at the whole
 * process, which costs next to nothing, and at the Workers only when that has grown by more than one may hold.
 */
export class MemoryWatch {
  readonly #workers: ReadonlyMap<number, Watched>
  readonly #overMemory: (worker: number, megabytes: number) => void
  readonly #baseBytes = process.memoryUsage.rss()
  #timer: NodeJS.Timeout | undefined
  #looking = false

  /** `overMemory` is told when ending a Worker did not help. */
  constructor(
    workers: ReadonlyMap<number, Watched>,
    overMemory: (worker: number, megabytes: number) => void,
  ) {
    this.#workers = workers
    this.#overMemory = overMemory
  }

  /** To be called when there may be a Worker to watch. */
  wake(): void {
    this.#timer ??= setInterval(() => {
      if (this.#workers.size === 0) {
        clearInterval(this.#timer)
        this.#timer = undefined
      } else if (!this.#looking && this.#mayBeOver()) {
        this.#looking = true
        void this.#look().finally(() => {
          this.#looking = false
        })
      }
    }, PERIOD_MS).unref()
  }

  #bound(): number {
    return Math.min(...[...this.#workers.values()].map(({ memoryMegabytes }) => memoryMegabytes))
  }

  #grownMegabytes(): number {
    return (process.memoryUsage.rss() - this.#baseBytes) / 2 ** 20
  }

  #mayBeOver(): boolean {
    return this.#grownMegabytes() > this.#bound()
  }

  async #look(): Promise<void> {
    const measured = await this.#measureAll()
    const over = measured.filter(({ worker, bytes }) => {
      const watched = this.#workers.get(worker)
      return watched !== undefined && bytes / 2 ** 20 > watched.memoryMegabytes
    })
    for (const { worker } of over) {
      const watched = this.#workers.get(worker)
      watched?.end(
        `was ended: it held more memory than the ${watched.memoryMegabytes} MB that a script may, buffers included`,
      )
    }
    if (over.length === 0) return
    const [most] = over.toSorted((one, other) => other.bytes - one.bytes)
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    if (most !== undefined && this.#workers.has(most.worker)) {
      this.#overMemory(most.worker, Math.round(most.bytes / 2 ** 20))
    }
  }

  async #measureAll(): Promise<readonly { readonly worker: number; readonly bytes: number }[]> {
    const late = new Promise<undefined>((resolve) => {
      setTimeout(() => {
        resolve(undefined)
      }, MEASURE_MS).unref()
    })
    const measured = await Promise.all(
      [...this.#workers.values()].map((worker) => Promise.race([worker.measure(), late])),
    )
    return measured.flatMap((one) =>
      one === undefined ? [] : [{ worker: one.worker, bytes: one.heapBytes + one.externalBytes }],
    )
  }
}
