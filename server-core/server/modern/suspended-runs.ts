import type { Limits } from '../../protocol/limits.ts'
import type { ModernRun } from './modern-run.ts'

type Suspended = { readonly run: ModernRun; readonly timer: NodeJS.Timeout }

/**
 * Runs that wait for a retry, bounded in number and time. When there are too many, the oldest goes: first of the same
 * caller, so that nobody ends the runs of others, and first one that can be run again from the top, which costs nothing.
 */
export class SuspendedRuns {
  readonly #limits: Limits
  readonly #runs = new Map<string, Suspended>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#runs.size
  }

  add(run: ModernRun): void {
    if (this.#runs.size >= this.#limits.suspendedRuns) this.#evict(run.caller)
    const timer = setTimeout(() => {
      this.#drop(run.id, 'the client did not answer in time')
    }, this.#limits.suspendedRunMs)
    // A process that has nothing else to do need not wait for answers.
    timer.unref()
    this.#runs.set(run.id, { run, timer })
  }

  /** Removes and returns the run, if it still exists and is at that step. */
  take(id: string, step: number): ModernRun | undefined {
    const suspended = this.#runs.get(id)
    if (suspended?.run.step !== step) return undefined
    clearTimeout(suspended.timer)
    this.#runs.delete(id)
    return suspended.run
  }

  close(): void {
    for (const id of [...this.#runs.keys()]) this.#drop(id, 'the server stopped')
  }

  #evict(caller: string): void {
    const runs = [...this.#runs.values()].map(({ run }) => run)
    const own = runs.filter((run) => run.caller === caller)
    const candidates = own.length > 0 ? own : runs
    const leaves = candidates.find(({ reentrant }) => reentrant) ?? candidates[0]
    const reason = `more than ${this.#limits.suspendedRuns} runs wait for their clients (limit suspendedRuns)`
    if (leaves !== undefined) this.#drop(leaves.id, reason)
  }

  #drop(id: string, reason: string): void {
    const suspended = this.#runs.get(id)
    if (suspended === undefined) return
    clearTimeout(suspended.timer)
    this.#runs.delete(id)
    suspended.run.cancel(reason)
  }
}
