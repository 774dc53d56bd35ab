import { Emitter } from '../../protocol/emitter.ts'
import type { Declaration } from '../../client/declaration.ts'
import { TASKS_EXTENSION } from '../../protocol/extension-ids.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { SessionEnd } from '../../registry/upstream.ts'
import { isLogLevel, reaches, type LogLevel } from '../../protocol/log-level.ts'
import type { RegistryView } from '../../registry/entries.ts'
import { withUpstream } from '../../registry/with-upstream.ts'
import { ClientConnections } from './client-connections.ts'
import { MemberNames, type ToolSelection } from './member-names.ts'
import { Remote } from './remote.ts'
import { noticeText, type OpenUpstream, type UpstreamNotice } from './upstream.ts'

export type SharedRemoteOptions = {
  /** What people call it, in log messages and errors. */
  readonly alias: string
  readonly open: OpenUpstream
  /** Who lists what the server has, and who asks where a client does not say who it is. */
  readonly identity: Declaration['identity']
  readonly tools?: ToolSelection
  readonly onNotice?: (notice: UpstreamNotice) => void
  /** Milliseconds before a disconnected server is tried again, twice as many each time up to 30,000; 1,000. */
  readonly retryMs?: number | undefined
}

/** Everything that a client may declare: what a server shows to such a client is all that it has. */
const ALL_CAPABILITIES: JsonObject = {
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
  extensions: { [TASKS_EXTENSION]: {} },
}

/**
 * A server behind a registry that many clients share. One connection of its own lists and subscribes; each client's calls
 * go over connections with that client's declaration. A disconnected server keeps its entries, whose calls fail with the reason, and
 * comes back by itself.
 */
export class SharedRemote {
  readonly view: RegistryView
  readonly #remote: Remote
  readonly #lines: ClientConnections
  readonly #states = new Emitter()
  readonly #sessionLevels = new Map<SessionEnd, LogLevel>()
  #down: string | undefined

  constructor({ alias, open, identity, tools, onNotice, retryMs }: SharedRemoteOptions) {
    this.#lines = new ClientConnections({ open, identity, alias })
    this.#remote = new Remote({
      open,
      names: new MemberNames(undefined, tools),
      alias,
      declaration: { identity, capabilities: ALL_CAPABILITIES },
      isOneClient: false,
      retryMs,
      keepsEntries: true,
      take: this.#lines.take,
      onNotice: (notice) => {
        this.#down = notice.type === 'down' ? noticeText(notice) : undefined
        // What the server forgot when it went, its clients begin again.
        if (notice.type === 'down') void this.#lines.close()
        onNotice?.(notice)
        this.#states.emit()
      },
    })
    const { upstream: upstream } = this.#remote
    this.view = withUpstream(this.#remote, {
      ...upstream,
      session: (end) => ({
        onMessage: (method, { level }) => {
          if (method !== 'logging/setLevel' || !isLogLevel(level)) return
          this.#sessionLevels.set(end, level)
          this.#lines.setLevel(lowest([...this.#sessionLevels.values()]))
        },
        ended: () => void this.#sessionLevels.delete(end),
      }),
    })
  }

  /** Resolves once the first try came to its end: with nothing if the server is there, else with the reason. */
  get settled(): Promise<Error | undefined> {
    return this.#remote.settled
  }

  /** Why the server is not there, and when it is tried again; undefined while it is. */
  get down(): string | undefined {
    return this.#down
  }

  /** What its server says of its use. */
  get instructions(): string | undefined {
    return this.#remote.instructions
  }

  /** Called when the server went or is back. Returns an unsubscribe function. */
  onState(listener: () => void): () => void {
    return this.#states.listen(listener)
  }

  async close(): Promise<void> {
    await Promise.all([this.#remote.close(), this.#lines.close()])
  }
}

/** The level of the client that wants to hear most. */
function lowest(levels: readonly LogLevel[]): LogLevel {
  return levels.reduce((low, level) => (reaches(low, level) ? level : low), 'emergency')
}
