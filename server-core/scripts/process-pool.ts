import { ScriptError } from './script-error.ts'
import { RunningProcess, type ProcessParts } from './running-process.ts'
import type { WorkerLink } from './worker-link.ts'

/** Milliseconds for which a script that may have ended a process has one of its own. */
const APART_MS = 300_000

type Slot = { readonly opening: Promise<RunningProcess>; process?: RunningProcess }

/**
 * The processes of one workspace: the one that runs scripts, and a spare that takes its place at once. The spare also
 * runs what must not disturb calls, such as reading what scripts serve. A process without a Worker for a while ends.
 */
export class ProcessPool {
  readonly #parts: ProcessParts
  readonly #idleMs: number
  readonly #changed: () => void
  #current: Slot | undefined
  #spare: Slot | undefined
  #idle: NodeJS.Timeout | undefined
  #closed = false
  /** Scripts that may have ended a process, each with its own, and until when. */
  readonly #apart = new Map<string, { readonly until: number; slot?: Slot }>()

  constructor(parts: ProcessParts, idleMs: number, changed: () => void) {
    this.#parts = parts
    this.#idleMs = idleMs
    this.#changed = changed
  }

  get pid(): number | undefined {
    return this.#current?.process?.pid
  }
  get spareReady(): boolean {
    return this.#spare?.process !== undefined
  }

  /**
   * Has scripts run in processes of their own for a while: one of them ended the process of all, and the next time it is
   * known which.
   */
  keepApart(file: string): void {
    this.#apart.set(file, { ...this.#apart.get(file), until: performance.now() + APART_MS })
  }

  /** The process in which calls of a script run. Rejects with a `ScriptError`. */
  async forScript(file: string): Promise<RunningProcess> {
    this.#requireOpen()
    const apart = this.#apart.get(file)
    if (apart !== undefined && performance.now() < apart.until) {
      apart.slot ??= this.#start()
      return apart.slot.opening
    }
    return this.#shared()
  }

  async #shared(): Promise<RunningProcess> {
    if (this.#current === undefined) {
      this.#current = this.#spare ?? this.#start()
      this.#spare = this.#start()
      this.#changed()
    }
    return this.#current.opening
  }

  /** The process that waits. Rejects with a `ScriptError`. */
  async spare(): Promise<RunningProcess> {
    this.#requireOpen()
    this.#spare ??= this.#start()
    return this.#spare.opening
  }

  /** Whether a Worker runs in the process that waits. */
  isSpare(link: WorkerLink): boolean {
    return this.#spare?.process?.has(link) === true
  }

  /** The processes that are there. */
  running(): readonly RunningProcess[] {
    return this.#slots()
      .map(({ process }) => process)
      .filter((process) => process !== undefined)
  }

  /** Ends all of them, and waits until they have ended. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#idle)
    await Promise.all(
      this.#slots().map(async ({ opening }) => {
        const process = await opening.catch(() => undefined)
        process?.kill()
        await process?.gone
      }),
    )
  }

  #slots(): readonly Slot[] {
    const apart = [...this.#apart.values()].map(({ slot }) => slot)
    return [this.#current, this.#spare, ...apart].filter((slot) => slot !== undefined)
  }

  #requireOpen(): void {
    if (this.#closed) throw new ScriptError('unavailable', 'The workspace is closed; its scripts do not run.')
  }

  #start(): Slot {
    const slot: Slot = {
      opening: RunningProcess.start(this.#parts).then((process) => {
        slot.process = process
        process.onWorkerEnded = () => {
          this.#watchIdle(slot)
        }
        void process.ended.then(() => {
          this.#forget(slot)
        })
        this.#changed()
        return process
      }),
    }
    slot.opening.catch(() => {
      this.#forget(slot)
    })
    return slot
  }

  #forget(slot: Slot): void {
    for (const apart of this.#apart.values()) if (apart.slot === slot) delete apart.slot
    if (this.#current === slot) this.#current = undefined
    if (this.#spare === slot) {
      this.#spare = undefined
      // One that cannot even start is not tried again before it is needed.
      if (slot.process !== undefined && !this.#closed) this.#spare = this.#start()
    }
    this.#changed()
  }

  /** A process in which nothing runs ends: at once if it was for one script, else after a while. */
  #watchIdle(slot: Slot): void {
    if (slot === this.#spare || slot.process?.workers !== 0) return
    if (slot !== this.#current) {
      this.#end(slot)
      return
    }
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      if (slot === this.#current && slot.process?.workers === 0) this.#end(slot)
    }, this.#idleMs).unref()
  }

  #end(slot: Slot): void {
    this.#forget(slot)
    slot.process?.kill()
  }
}
