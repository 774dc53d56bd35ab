import type { JsonObject } from '../../protocol/json.ts'
import type { CapturedConnection, CapturedFrame } from '../frames/captured-frame.ts'
import type { ProcessHandle } from './process-handle.ts'
import { elapsed } from './waits.ts'

/** A server process between two checks: its session is open, and nothing is under way. */
export type IdleConnection = {
  readonly process: ProcessHandle
  readonly captured: CapturedConnection
  /** The frames of its start and of the handshake. */
  readonly opening: readonly CapturedFrame[]
  readonly initialized: JsonObject | undefined
  /** The last request id that was in use. */
  readonly lastId: number
}

/** Processes for one kind of client that are used at once before a check waits for one of them. */
const LIMIT = 3
/** A check waits so long at most for a process that is in use: the other may hang in it. */
const LONGEST_WAIT_MS = 10_000

type Group = { readonly idle: IdleConnection[]; readonly waiting: (() => void)[]; leased: number }

/**
 * The server processes of one cell that checks use one after another, so that not every check has to start one. A check
 * gets a process whose session was left as it began; the others end with their check.
 */
export class SharedConnections {
  readonly #groups = new Map<string, Group>()
  #isClosed = false

  /**
   * Lends a process. Undefined: start one. In both cases `giveBack` has to follow.
   *
   * @param kind what the session was opened with; only the same kind is lent
   */
  async lend(kind: string): Promise<IdleConnection | undefined> {
    const group = this.#group(kind)
    if (group.idle.length === 0 && group.leased >= LIMIT) {
      const back = new Promise<void>((resolve) => group.waiting.push(resolve))
      await Promise.race([back, elapsed(LONGEST_WAIT_MS)])
    }
    group.leased += 1
    return group.idle.pop()
  }

  /** Ends a loan: stores the process for the next check; undefined if it has been closed. */
  async giveBack(kind: string, connection: IdleConnection | undefined): Promise<void> {
    const group = this.#group(kind)
    group.leased -= 1
    if (connection !== undefined) {
      if (this.#isClosed) await connection.process.dispose()
      else {
        group.idle.push(connection)
        void connection.process.exited.then(async () => {
          const at = group.idle.indexOf(connection)
          if (at !== -1) group.idle.splice(at, 1)
          await connection.process.dispose()
        })
      }
    }
    group.waiting.shift()?.()
  }

  /** Ends all processes that are not in use. */
  async close(): Promise<void> {
    this.#isClosed = true
    const all = [...this.#groups.values()].flatMap(({ idle }) => idle.splice(0))
    await Promise.all(
      all.map(async ({ process }) => {
        process.stdin.end()
        await process.dispose()
      }),
    )
  }

  #group(kind: string): Group {
    const known = this.#groups.get(kind) ?? { idle: [], waiting: [], leased: 0 }
    this.#groups.set(kind, known)
    return known
  }
}
