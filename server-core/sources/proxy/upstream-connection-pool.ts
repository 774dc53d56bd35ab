import { revisionRow } from '../../protocol/revisions.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import type { Invocation } from '../../registry/invocation.ts'
import type { UpstreamConnection } from './upstream-connection.ts'

/** Connections to one server for independent requests; more requests wait. */
const MOST_LINES = 16

/**
 * Which connection a call uses. A client with a session has one connection for all its calls: what the server remembers
 * belongs to it alone. Independent requests (2026-07-28, and HTTP without sessions) share a connection only where
 * the server behind cannot confuse them: it speaks 2026-07-28 too, and the request wants no log messages. Else each has
 * a line for itself while it runs, because what the server asks or logs does not say which call it belongs to; and
 * where several clients come, a line whose call was given up is closed, because its server may not have heard of that.
 */
export class UpstreamConnectionPool {
  readonly #open: () => Promise<UpstreamConnection>
  readonly #first: UpstreamConnection
  readonly #isOneClient: boolean
  readonly #others: UpstreamConnection[] = []
  readonly #taken = new Set<UpstreamConnection>()
  readonly #waiting: (() => void)[] = []
  #opening = 0
  #closed = false

  /** @param open opens a further line */
  constructor(first: UpstreamConnection, isOneClient: boolean, open: () => Promise<UpstreamConnection>) {
    this.#first = first
    this.#isOneClient = isOneClient
    this.#open = open
  }

  /** Returns a line for a call, and what gives it back. Rejects with what opening a line throws. */
  async take(
    invocation: Invocation,
  ): Promise<{ readonly line: UpstreamConnection; readonly release: () => void }> {
    const line = this.#sharesFirst(invocation) ? this.#first : await this.#alone(invocation.signal)
    const end = line.begin(invocation)
    return {
      line,
      release: () => {
        end()
        if (!this.#taken.has(line)) return
        if (invocation.signal.aborted && !this.#isOneClient) void line.close()
        else this.#taken.delete(line)
        this.#waiting.shift()?.()
      },
    }
  }

  /** Forgets a line whose connection ended. */
  lost(line: UpstreamConnection): void {
    this.#taken.delete(line)
    const at = this.#others.indexOf(line)
    if (at !== -1) this.#others.splice(at, 1)
    this.#waiting.shift()?.()
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const go of this.#waiting.splice(0)) go()
    await Promise.all([this.#first, ...this.#others].map((line) => line.close()))
  }

  #sharesFirst({ facts }: Invocation): boolean {
    if (this.#isOneClient && revisionRow(facts.revision)?.era === 'legacy') return true
    return this.#first.connection.era === 'modern' && facts.meta[MetaKey.logLevel] === undefined
  }

  async #alone(signal: AbortSignal): Promise<UpstreamConnection> {
    for (;;) {
      signal.throwIfAborted()
      if (this.#closed) throw new Error('the proxy has closed its connections')
      const free = this.#candidates.find((line) => !this.#taken.has(line))
      if (free !== undefined) {
        this.#taken.add(free)
        return free
      }
      if (this.#others.length + this.#opening + 1 < MOST_LINES) {
        return await this.#another()
      }
      await this.#turn(signal)
    }
  }

  /** One client that asks one thing after the other stays on one connection, and finds there what it did before. */
  get #candidates(): readonly UpstreamConnection[] {
    const mayUseFirst = this.#isOneClient && this.#first.connection.era === 'legacy'
    return mayUseFirst ? [this.#first, ...this.#others] : this.#others
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    await promise
    const at = this.#waiting.indexOf(resolve)
    if (at !== -1) this.#waiting.splice(at, 1)
  }

  async #another(): Promise<UpstreamConnection> {
    this.#opening += 1
    try {
      const line = await this.#open()
      this.#others.push(line)
      this.#taken.add(line)
      return line
    } finally {
      this.#opening -= 1
    }
  }
}
