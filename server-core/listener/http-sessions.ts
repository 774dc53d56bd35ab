import { randomBytes } from 'node:crypto'
import type { Limits } from '../protocol/limits.ts'
import { ownerOf } from '../ports/authorization-port.ts'
import type { FaultGate } from '../ports/fault-port.ts'
import type { Tap } from '../ports/tap.ts'
import { HttpSession } from './http-session.ts'
import type { StreamMonitor } from './stream-monitor.ts'
import type { ServerPort } from '../ports/server-port.ts'
import type { CountedSessions, SessionLimit } from './session-limit.ts'

export type HttpSessionsOptions = {
  readonly server: ServerPort
  readonly monitor: StreamMonitor
  readonly limits: Limits
  readonly sessionLimit: SessionLimit
  readonly faults: FaultGate
  readonly tap: Tap
  /** Names the listener, so that an anonymous caller of one is not taken for one of another. */
  readonly name: string
}

/** The legacy sessions of one listener, bounded in number and idle time. */
export class HttpSessions implements CountedSessions {
  readonly #options: HttpSessionsOptions
  readonly #sessions = new Map<string, HttpSession>()
  readonly #sweeper: NodeJS.Timeout

  constructor(options: HttpSessionsOptions) {
    this.#options = options
    const { limits, sessionLimit } = options
    sessionLimit.include(this)
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
  open(caller: string): HttpSession | undefined {
    const { server, monitor, limits, sessionLimit, name, faults, tap } = this.#options
    if (!sessionLimit.hasRoom()) return undefined
    const id = randomBytes(24).toString('base64url')
    const session = new HttpSession({
      id,
      caller,
      owner: ownerOf({ caller }, name),
      server,
      monitor,
      limits,
      faults,
      tap: tap.session?.(),
    })
    this.#sessions.set(session.id, session)
    return session
  }

  /** The session with that id, for its own caller: to anybody else it does not exist. */
  find(id: string, caller: string): HttpSession | undefined {
    const session = this.#sessions.get(id)
    if (session?.caller !== caller) return undefined
    session.touch()
    return session
  }

  /** The tap of the caller's session with that id; undefined if it has none of its own. */
  tapOf(id: string | undefined, caller: string): Tap | undefined {
    const session = id === undefined ? undefined : this.#sessions.get(id)
    return session?.caller === caller ? session.tap : undefined
  }

  end(session: HttpSession): void {
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
