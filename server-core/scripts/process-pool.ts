import { ScriptError } from './script-error.ts'
import { RunningProcess, type ProcessParts } from './running-process.ts'

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

  /** The process in which calls run. Rejects with a `ScriptError`. */
  async current(): Promise<RunningProcess> {
    this.#requireOpen()
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

  /** The processes that are there. */
  running(): readonly RunningProcess[] {
    return [this.#current?.process, this.#spare?.process].filter((process) => process !== undefined)
  }

  /** Ends all of them, and waits until they are gone. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#idle)
    const slots = [this.#current, this.#spare].filter((slot) => slot !== undefined)
    await Promise.all(
      slots.map(async ({ opening }) => {
        const process = await opening.catch(() => undefined)
        process?.kill()
        await process?.gone
      }),
    )
  }

  #requireOpen(): void {
    if (this.#closed) throw new ScriptError('unavailable', 'The workspace is closed; its scripts do not run.')
  }

  #start(): Slot {
    const slot: Slot = {
      opening: RunningProcess.start(this.#parts).then((process) => {
        slot.process = process
        process.onWorkerEnded = () => {
          this.#watchIdle()
        }
        void process.gone.then(() => {
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
    if (this.#current === slot) this.#current = undefined
    if (this.#spare === slot) {
      this.#spare = undefined
      // One that cannot even start is not tried again before it is needed.
      if (slot.process !== undefined && !this.#closed) this.#spare = this.#start()
    }
    this.#changed()
  }

  #watchIdle(): void {
    clearTimeout(this.#idle)
    if (this.#current?.process?.workers !== 0) return
    this.#idle = setTimeout(() => {
      const slot = this.#current
      if (slot?.process?.workers !== 0) return
      this.#forget(slot)
      slot.process.kill()
    }, this.#idleMs).unref()
  }
}
