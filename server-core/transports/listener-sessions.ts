import { randomBytes } from 'node:crypto'
import type { Limits } from '../protocol/limits.ts'
import { ownerOf } from './authorization-port.ts'
import type { FaultGate } from './fault-port.ts'
import { ListenerSession } from './listener-session.ts'
import type { StreamKeeper } from './listener-stream.ts'
import type { ServerPort } from './server-port.ts'
import type { CountedSessions, SessionCeiling } from './session-ceiling.ts'

export type ListenerSessionsOptions = {
  readonly server: ServerPort
  readonly keeper: StreamKeeper
  readonly limits: Limits
  readonly ceiling: SessionCeiling
  readonly faults: FaultGate
  /** Names the listener, so that an anonymous caller of one is not taken for one of another. */
  readonly name: string
}

/** The legacy sessions of one listener, bounded in number and idle time. */
export class ListenerSessions implements CountedSessions {
  readonly #options: ListenerSessionsOptions
  readonly #sessions = new Map<string, ListenerSession>()
  readonly #sweeper: NodeJS.Timeout

  constructor(options: ListenerSessionsOptions) {
    this.#options = options
    const { limits, ceiling } = options
    ceiling.include(this)
    this.#sweeper = setInterval(
      () => {
        this.endIdle()
      },
      Math.min(30_000, Math.max(10, limits.sessionIdleMs / 2)),
    ).unref()
  }

  get size(): number {
    return this.#sessions.size
  }

  /** A new session, or undefined if there are too many. Its id has 192 random bits in visible ASCII. */
  open(caller: string): ListenerSession | undefined {
    const { server, keeper, limits, ceiling, name, faults } = this.#options
    if (!ceiling.hasRoom()) return undefined
    const id = randomBytes(24).toString('base64url')
    const session = new ListenerSession({
      id,
      caller,
      owner: ownerOf({ caller }, name),
      server,
      keeper,
      limits,
      faults,
    })
    this.#sessions.set(session.id, session)
    return session
  }

  /** The session with that id, for its own caller: to anybody else it does not exist. */
  find(id: string, caller: string): ListenerSession | undefined {
    const session = this.#sessions.get(id)
    if (session?.caller !== caller) return undefined
    session.touch()
    return session
  }

  end(session: ListenerSession): void {
    this.#sessions.delete(session.id)
    session.close()
  }

  /** Ends the sessions of these callers, streams and all. */
  endOf(isGone: (caller: string) => boolean): void {
    for (const session of [...this.#sessions.values()]) if (isGone(session.caller)) this.end(session)
  }

  /** Ends the streams that would stay open for as long as their clients like. */
  endStreams(): void {
    for (const session of this.#sessions.values()) session.endStream()
  }

  close(): void {
    clearInterval(this.#sweeper)
    for (const session of [...this.#sessions.values()]) this.end(session)
  }

  endIdle(): void {
    const now = performance.now()
    for (const session of [...this.#sessions.values()]) {
      if (session.idleFor(now) > this.#options.limits.sessionIdleMs) this.end(session)
    }
  }
}
