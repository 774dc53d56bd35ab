import type { Declaration } from '../../client/declaration.ts'
import { isJsonObject } from '../../protocol/json.ts'
import type { LogLevel } from '../../protocol/log-level.ts'
import { declarationOf } from './client-errors.ts'
import { UpstreamConnection } from './upstream-connection.ts'
import { UpstreamConnectionPool } from './upstream-connection-pool.ts'
import type { OpenUpstream } from './upstream.ts'

/** Clients in front that have connections of their own at a time. */
const MOST_CLIENTS = 64
/** Milliseconds for which the connections of a client are kept after its last call. */
const IDLE_MS = 600_000

export type ClientConnectionsOptions = {
  readonly open: OpenUpstream
  /** Who asks where a client does not say who it is. */
  readonly identity: Declaration['identity']
  /** Precedes the logger of log messages. */
  readonly alias: string | undefined
}

type Kept = {
  readonly lines: Promise<UpstreamConnectionPool>
  users: number
  timer: NodeJS.Timeout | undefined
}

/**
 * Connections to one server for the calls of many clients of a shared registry. Each client is itself behind, in its own
 * words, so that its server asks of it what it can answer; a session has connections of its own, because what the server
 * remembers belongs to it.
 */
export class ClientConnections {
  readonly #options: ClientConnectionsOptions
  readonly #kept = new Map<string, Kept>()
  readonly #logging = new Set<UpstreamConnection>()
  #level: LogLevel | undefined

  constructor(options: ClientConnectionsOptions) {
    this.#options = options
  }

  /** Returns a line for a call, and what gives it back. Rejects with what opening one throws. */
  readonly take: UpstreamConnectionPool['take'] = async (invocation) => {
    const { clientInfo, clientCapabilities, sessionId, principal } = invocation.facts
    const declaration = declarationOf(clientInfo, clientCapabilities, this.#options.identity)
    const key = JSON.stringify([declaration, sessionId ?? null, principal ?? null])
    const kept = this.#kept.get(key) ?? this.#add(key, declaration, sessionId !== undefined)
    // The one that was used last stands last.
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    kept.users += 1
    clearTimeout(kept.timer)
    const done = () => {
      kept.users -= 1
      if (kept.users > 0 || this.#kept.get(key) !== kept) return
      kept.timer = setTimeout(() => this.#drop(key, kept), IDLE_MS)
      kept.timer.unref()
    }
    try {
      const { line, release } = await (await kept.lines).take(invocation)
      return {
        line,
        release: () => {
          release()
          done()
        },
      }
    } catch (error) {
      done()
      throw error
    }
  }

  /** How much the connections ask their server to log. The client's own floor holds in front in any case. */
  setLevel(level: LogLevel): void {
    if (level === this.#level) return
    this.#level = level
    for (const { connection } of this.#logging) void connection.setLogLevel(level).catch(() => undefined)
  }

  /** Closes all; later calls open new ones. */
  async close(): Promise<void> {
    const all = [...this.#kept.values()]
    this.#kept.clear()
    await Promise.all(all.map((kept) => closed(kept)))
  }

  #add(key: string, declaration: Declaration, isOneClient: boolean): Kept {
    if (this.#kept.size >= MOST_CLIENTS) {
      const [idle] = [...this.#kept].filter(([, { users }]) => users === 0)
      if (idle === undefined) throw new Error(`${MOST_CLIENTS} clients have calls at this server already`)
      this.#drop(...idle)
    }
    const kept: Kept = {
      lines: this.#open(declaration, isOneClient, () => this.#drop(key, kept)),
      users: 0,
      timer: undefined,
    }
    // The next call tries again.
    kept.lines.catch(() => this.#forget(key, kept))
    this.#kept.set(key, kept)
    return kept
  }

  async #open(
    declaration: Declaration,
    isOneClient: boolean,
    onLost: () => void,
  ): Promise<UpstreamConnectionPool> {
    const first = await this.#line(declaration, isOneClient, onLost)
    const lines = new UpstreamConnectionPool(first, isOneClient, async () => {
      const line: UpstreamConnection = await this.#line(declaration, isOneClient, () => lines.lost(line))
      return line
    })
    return lines
  }

  async #line(
    declaration: Declaration,
    isOneClient: boolean,
    onClosed: () => void,
  ): Promise<UpstreamConnection> {
    const { open, alias } = this.#options
    const line: UpstreamConnection = new UpstreamConnection({
      open,
      declaration,
      alias,
      onClosed: () => {
        this.#logging.delete(line)
        onClosed()
      },
      sessionEnd: () => undefined,
      // One connection of the registry itself listens for all.
      onListChanged: () => undefined,
      onUpdated: () => undefined,
    })
    const connection = await line.open()
    const logs = isJsonObject(connection.capabilities['logging'])
    // On a connection that several share, each request says what it wants.
    if (!logs || !(isOneClient || connection.era === 'legacy')) return line
    this.#logging.add(line)
    if (this.#level !== undefined) await connection.setLogLevel(this.#level).catch(() => undefined)
    return line
  }

  #drop(key: string, kept: Kept): void {
    this.#forget(key, kept)
    void closed(kept)
  }

  #forget(key: string, kept: Kept): void {
    clearTimeout(kept.timer)
    if (this.#kept.get(key) === kept) this.#kept.delete(key)
  }
}

async function closed({ lines, timer }: Kept): Promise<void> {
  clearTimeout(timer)
  const opened = await lines.catch(() => undefined)
  await opened?.close()
}
