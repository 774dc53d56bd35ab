import { messageOf } from '../../../server-core/protocol/error-message.ts'
import { api } from '../../host/api.ts'
import { Observable } from '../../state/observable.ts'
import type { Request } from '../use-call.ts'
import { outcomeOf, type RepeatedCall } from './repeat-statistics.ts'

/** How often a request is sent, and how many of them are open at a time. */
export type RepeatPlan = { readonly times: number; readonly atOnce: number }

export const MOST_TIMES = 10_000
export const MOST_AT_ONCE = 64

export type Repetition = {
  readonly plan: RepeatPlan
  readonly state: 'running' | 'stopping' | 'done'
  /** In the order in which they ended. */
  readonly calls: readonly RepeatedCall[]
  /** Milliseconds from the first call to the end of the last. */
  readonly tookMs: number
}

/** Milliseconds between two updates of what is shown. */
const SHOWN_MS = 100

/** Sends the request of a tab again and again; the page of the tab shows how it goes. */
export class RepeatedCalls {
  readonly plan = new Observable<RepeatPlan>({ times: 100, atOnce: 1 })
  /** The last run; undefined before the first. */
  readonly run = new Observable<Repetition | undefined>(undefined)
  readonly #open = new Set<string>()

  /** Starts a run, unless one is running. Calls are not kept in the history of the tab. */
  start(serverId: string, request: Request): void {
    const { state } = this.run.get() ?? {}
    if (state === 'running' || state === 'stopping') return
    void this.#all(serverId, request, this.plan.get())
  }

  /** Sends no more, and cancels what is open. */
  stop(): void {
    const run = this.run.get()
    if (run?.state !== 'running') return
    this.run.set({ ...run, state: 'stopping' })
    // One that cannot be cancelled ends by itself.
    for (const callId of this.#open) api.inspect.cancel({ callId }).catch(() => undefined)
  }

  async #all(serverId: string, request: Request, plan: RepeatPlan): Promise<void> {
    const startedAt = performance.now()
    const calls: RepeatedCall[] = []
    this.run.set({ plan, state: 'running', calls: [], tookMs: 0 })
    const isRunning = (): boolean => this.run.get()?.state === 'running'
    const show = (state: Repetition['state']): void =>
      this.run.set({ plan, state, calls: [...calls], tookMs: performance.now() - startedAt })
    const timer = setInterval(() => show(this.run.get()?.state ?? 'running'), SHOWN_MS)
    let sent = 0
    const sender = async (): Promise<void> => {
      while (isRunning() && sent < plan.times) {
        sent += 1
        const call = await this.#one(serverId, request)
        // What was cancelled by stopping says nothing about the server.
        if (isRunning() || call.outcome.type === 'result') calls.push(call)
      }
    }
    await Promise.all(Array.from({ length: Math.min(plan.atOnce, plan.times) }, sender))
    clearInterval(timer)
    show('done')
  }

  async #one(serverId: string, request: Request): Promise<RepeatedCall> {
    const callId = crypto.randomUUID()
    const startedAt = performance.now()
    this.#open.add(callId)
    try {
      const outcome = await api.inspect.request({ serverId, callId, ...request })
      return {
        durationMs: Math.max(0, outcome.durationMs - (outcome.waitedMs ?? 0)),
        outcome: outcomeOf(outcome),
      }
    } catch (error) {
      return {
        durationMs: performance.now() - startedAt,
        outcome: { type: 'failed', reason: messageOf(error) },
      }
    } finally {
      this.#open.delete(callId)
    }
  }
}

const known = new Map<string, RepeatedCalls>()

/** The repeated calls of a tab. They outlive the tab being hidden. */
export function repeatedCallsOf(tab: string): RepeatedCalls {
  const calls = known.get(tab) ?? new RepeatedCalls()
  known.set(tab, calls)
  return calls
}
