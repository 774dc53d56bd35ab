import type { Limits } from '../protocol/limits.ts'
import type { MessageEndpoint } from '../registry/port/message-endpoint.ts'
import type { Definitions } from '../registry/port/definitions.ts'
import { knownPortRegistry, type PortRegistry } from '../registry/port/port-registry.ts'
import { handlerErrorText } from '../registry/handler-errors.ts'
import type { WorkerNews, WorkerStart } from './channel.ts'
import type { ProcessPool } from './process-pool.ts'
import { ScriptError } from './script-error.ts'
import type { LinkEnd, WorkerLink } from './worker-link.ts'

export type RevisionParts = {
  readonly file: string
  readonly pool: ProcessPool
  readonly start: WorkerStart
  readonly startMs: number
  readonly limits: Limits
  /** Why its script is switched off; undefined if it is not. */
  readonly whyOff: () => string | undefined
  readonly onStarted: () => void
  readonly onNews: (news: WorkerNews) => void
  readonly onEnded: (end: LinkEnd) => void
  /** It was released, and its last call is over. */
  readonly onDrained: () => void
}

/** One revision of a script: a view of what it serves, and the Worker that runs its handlers while there are calls. */
export class ScriptRevision {
  readonly view: PortRegistry
  readonly #parts: RevisionParts
  #link: WorkerLink | undefined
  #draining = false
  #expiry: NodeJS.Timeout | undefined

  constructor(definitions: Definitions, parts: RevisionParts) {
    this.#parts = parts
    const { file, limits } = parts
    this.view = knownPortRegistry(definitions, {
      open: () => this.#open(),
      startTimeoutMs: parts.startMs,
      idle: {
        ms: limits.scriptIdleMs,
        then: () => {
          void this.stop()
        },
      },
      words: { subject: `The script ${file}`, next: 'the next one starts it again' },
    })
  }

  get draining(): boolean {
    return this.#draining
  }
  /** Undefined while no Worker runs. */
  get callsInFlight(): number | undefined {
    return this.#link?.callsInFlight
  }
  get worker(): WorkerLink | undefined {
    return this.#link
  }

  /** Lets calls in flight finish, and the Worker end after the last one. Those that wait for their client are bounded. */
  release(): void {
    if (this.#draining) return
    this.#draining = true
    const { drainedRunMs } = this.#parts.limits
    this.#boundWaiting()
    if (this.#link !== undefined) {
      this.#expiry = setTimeout(() => {
        this.#link?.failWaiting(
          0,
          new Error(
            `The script was saved again, and an answer did not come in ${drainedRunMs / 60_000} minutes.`,
          ),
        )
      }, drainedRunMs).unref()
    }
    this.view.setIdle(0)
    if (this.#link === undefined) this.#drained()
  }

  /** Ends the Worker after its lifespan has cleaned up. Never rejects: an error of the clean-up is logged. */
  async stop(): Promise<void> {
    const link = this.#link
    try {
      await this.view.stop()
    } catch (error) {
      if (link?.isOver === false) link.close()
      this.#parts.onNews({ type: 'fault', message: `The clean-up failed: ${handlerErrorText(error)}` })
    }
  }

  #boundWaiting(): void {
    const { drainedRuns } = this.#parts.limits
    const error = new Error(
      `The script was saved again, and more than ${drainedRuns} calls of the revision before wait for their clients.`,
    )
    this.#link?.failWaiting(drainedRuns, error)
  }

  #drained(): void {
    clearTimeout(this.#expiry)
    this.#parts.onDrained()
  }

  async #open(): Promise<MessageEndpoint> {
    const { file, pool, start, whyOff, onStarted, onNews, onEnded } = this.#parts
    const why = whyOff()
    if (why !== undefined) {
      const message = `The script ${file} is switched off: ${why}. Save it or switch it on to have it run again.`
      throw new ScriptError('stopped', message)
    }
    const process = await pool.forScript(file)
    const link = process.open(() => file, start)
    this.#link = link
    link.onNews(onNews)
    link.onWait = () => {
      if (this.#draining) this.#boundWaiting()
    }
    onStarted()
    void link.ended.then((end) => {
      if (this.#link === link) this.#link = undefined
      onEnded(end)
      if (this.#draining && this.#link === undefined) this.#drained()
    })
    return link
  }
}
