import type { Measured } from '../channel.ts'

/** Milliseconds between two looks at the memory of the process. */
const PERIOD_MS = 50
/** Milliseconds after which Workers are measured again although the process did not grow. */
const MEASURED_MS = 1_000
/** Bytes of growth that ask for another measurement at once. */
const STEP_BYTES = 16 * 2 ** 20
/** Milliseconds after which a Worker that seems to hold too much is measured again: some of it may be garbage. */
const AGAIN_MS = 20
/** Milliseconds that a Worker may take to say what it holds. */
const ANSWER_MS = 200
/** Bytes that a Worker takes before its script holds anything. */
const WORKER_BYTES = 16 * 2 ** 20
/** Bytes of growth after which a Worker that was ended, and goes on, is not waited for. */
const RUNAWAY_BYTES = 256 * 2 ** 20
/** It takes longer to end what holds much than what holds nothing. */
const GRACES = 4

type Watched = {
  readonly bounds: Bounds
  measure(): Promise<Measured | undefined>
  end(reason: string): void
}

type Bounds = { readonly heapMegabytes: number; readonly memoryMegabytes: number }

/** Why a Worker ended that held too much, as a clause. */
export function outOfMemory({ heapMegabytes, memoryMegabytes }: Bounds): string {
  return `ran out of memory: it may hold ${heapMegabytes} MB in its heap, and ${memoryMegabytes} MB together with buffers`
}

/**
 * Ends Workers that hold more memory than they may: buffers are outside the limits of their heaps, and V8 ends the whole
 * process where it runs out of room in the middle of its own work. Looks at the process, which costs next to nothing,
 * and at the Workers only when that has grown by more than one of them may hold.
 */
export class MemoryWatch {
  readonly #workers: ReadonlyMap<number, Watched>
  readonly #graceMs: number
  readonly #stuck: (worker: number, reason: string) => void
  readonly #known = new Map<number, number>()
  readonly #baseBytes = process.memoryUsage.rss()
  /** Of the process, beside what its Workers are known to hold; the system may take its time with what was let go. */
  #floorBytes = this.#baseBytes
  #timer: NodeJS.Timeout | undefined
  #looking = false
  #lookedAt = 0
  #lookedBytes = 0

  /** `stuck` is called with a Worker that held too much and did not end when it should. */
  constructor(
    workers: ReadonlyMap<number, Watched>,
    graceMs: number,
    stuck: (worker: number, reason: string) => void,
  ) {
    this.#workers = workers
    this.#graceMs = graceMs
    this.#stuck = stuck
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

  /** To be called when a Worker has ended. */
  ended(worker: number): void {
    this.#known.delete(worker)
    this.#floorBytes = this.#besideWorkers()
  }

  #mayBeOver(): boolean {
    const bytes = process.memoryUsage.rss()
    const bound = Math.min(...[...this.#workers.values()].map(({ bounds }) => lowest(bounds)))
    if (bytes - this.#baseBytes < bound * 2 ** 20) return false
    const now = performance.now()
    if (bytes - this.#lookedBytes < STEP_BYTES && now - this.#lookedAt < MEASURED_MS) return false
    this.#lookedAt = now
    this.#lookedBytes = bytes
    return true
  }

  async #look(): Promise<void> {
    const measured = await this.#measureAll()
    const over = this.#over(measured)
    const culprits = over.length > 0 ? await this.#stillOver(over) : this.#deaf(measured)
    for (const { worker } of culprits) {
      const watched = this.#workers.get(worker)
      watched?.end(outOfMemory(watched.bounds))
    }
    if (culprits.length === 0) return
    const bytes = process.memoryUsage.rss()
    const endedAt = performance.now()
    const isThere = () => culprits.some(({ worker }) => this.#workers.has(worker))
    while (isThere() && performance.now() - endedAt < this.#graceMs * GRACES) {
      await new Promise((resolve) => setTimeout(resolve, PERIOD_MS))
      if (process.memoryUsage.rss() - bytes > RUNAWAY_BYTES) break
    }
    for (const { worker } of culprits) {
      const watched = this.#workers.get(worker)
      if (watched !== undefined) this.#stuck(worker, outOfMemory(watched.bounds))
    }
  }

  #over(measured: readonly Measured[]): readonly Measured[] {
    return measured.filter(({ worker, heapBytes, externalBytes }) => {
      const bounds = this.#workers.get(worker)?.bounds
      if (bounds === undefined) return false
      const megabytes = (heapBytes + externalBytes) / 2 ** 20
      return heapBytes / 2 ** 20 > bounds.heapMegabytes || megabytes > bounds.memoryMegabytes
    })
  }

  /** Those that hold too much a moment later too, or do not say any more. */
  async #stillOver(over: readonly Measured[]): Promise<readonly Pick<Measured, 'worker'>[]> {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    const measured = await this.#measureAll()
    const answered = new Set(measured.map(({ worker }) => worker))
    const again = new Set(this.#over(measured).map(({ worker }) => worker))
    return over.filter(({ worker }) => again.has(worker) || !answered.has(worker))
  }

  /**
   * A loop in which nothing but V8's own functions is called gets nothing. Where what the others hold does not explain
   * what the process has grown by, it is one of those that do not answer: the one that held most when it last did.
   */
  #deaf(measured: readonly Measured[]): readonly Pick<Measured, 'worker'>[] {
    const answered = new Set(measured.map(({ worker }) => worker))
    for (const one of measured) this.#known.set(one.worker, bytesOf(one))
    const [suspect] = [...this.#workers.keys()]
      .filter((worker) => !answered.has(worker))
      .toSorted((one, other) => (this.#known.get(other) ?? 0) - (this.#known.get(one) ?? 0))
    const beside = this.#besideWorkers()
    this.#floorBytes = Math.min(this.#floorBytes, beside)
    const bounds = suspect === undefined ? undefined : this.#workers.get(suspect)?.bounds
    if (suspect === undefined || bounds === undefined) return []
    return (beside - this.#floorBytes) / 2 ** 20 > lowest(bounds) ? [{ worker: suspect }] : []
  }

  #besideWorkers(): number {
    const known = [...this.#workers.keys()].map((worker) => this.#known.get(worker) ?? WORKER_BYTES)
    return process.memoryUsage.rss() - known.reduce((sum, bytes) => sum + bytes, 0)
  }

  async #measureAll(): Promise<readonly Measured[]> {
    const late = new Promise<undefined>((resolve) => {
      setTimeout(() => {
        // Where the process stood still meanwhile, the answers are there, and are read before this.
        setImmediate(() => resolve(undefined))
      }, ANSWER_MS).unref()
    })
    const measured = await Promise.all(
      [...this.#workers.values()].map((worker) => Promise.race([worker.measure(), late])),
    )
    return measured.filter((one) => one !== undefined)
  }
}

function bytesOf({ heapBytes, externalBytes }: Measured): number {
  return heapBytes + externalBytes
}

function lowest({ heapMegabytes, memoryMegabytes }: Bounds): number {
  return Math.min(heapMegabytes, memoryMegabytes)
}
