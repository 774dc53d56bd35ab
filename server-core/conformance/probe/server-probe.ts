import type { JsonObject } from '../../protocol/json.ts'
import { isJsonObject } from '../../protocol/json.ts'
import type { CheckEntry } from '../catalogue/catalogue.ts'
import { Examination } from '../examination.ts'
import type { FrameLog } from '../frames/frame-log.ts'
import type { Cell } from '../verdict.ts'
import type { ConnectOptions, ProbeConnection } from './connection.ts'
import { findFixture, type FixtureKind, type FixtureProfile, type FixtureTool } from './fixture-tools.ts'
import { HttpConnection } from './http-connection.ts'
import { HttpExchange } from './http-exchange.ts'
import type { RawHttpRequest } from './http-request.ts'
import { Inbox } from './inbox.ts'
import { createConnection } from './open-connection.ts'
import { describeOutcome } from './outcome.ts'
import { guardCalls, mayCall, type CallPermission } from './permission.ts'
import type { ProtectedServer } from './protected-server.ts'
import type { ServerFacts } from './server-facts.ts'
import type { ServerTarget } from './server-target.ts'
import { SseConnection } from './sse-connection.ts'
import { StdioConnection } from './stdio-connection.ts'
import { leavesNoTrace } from './connection-use.ts'
import type { IdleConnection, SharedConnections } from './shared-connections.ts'
import { elapsed, type Waits } from './waits.ts'
import { WebSocketConnection } from './websocket-connection.ts'

const LATE = Symbol('late')

/** Things that only some users can give. */
export type ProbeSupport = {
  readonly permission: CallPermission
  readonly fixtures?: FixtureProfile
  /** A token of a second principal of a server that was given with one. */
  readonly secondToken?: string
  /** The user agreed to floods of messages. */
  readonly mayFlood?: boolean
  /** How many calls a flood has, in place of the check's own number. */
  readonly floodCalls?: number
  /** How long the server waits for an answer of its client, in milliseconds. */
  readonly givesUpAfterMs?: number
}

export type ServerProbeParts = {
  readonly entry: CheckEntry
  readonly cell: Cell
  readonly log: FrameLog
  readonly target: ServerTarget
  readonly facts: ServerFacts
  readonly waits: Waits
  readonly support: ProbeSupport
  readonly seed: number
  /** Processes that checks use one after another. */
  readonly shared?: SharedConnections
}

/** What a check of servers works with. Each check has its own, and every connection it opened is closed at its end. */
export class ServerProbe extends Examination {
  readonly target: ServerTarget
  /** What discovery learned in this cell: capabilities, lists. */
  readonly server: ServerFacts
  readonly waits: Waits
  readonly support: ProbeSupport
  /** Repeats random choices of a run. */
  readonly seed: number
  readonly #connections: ProbeConnection[] = []
  readonly #exchanges: HttpExchange[] = []
  readonly #shared: SharedConnections | undefined
  /** The connection that others may go on with, and the kind of its session. */
  #lent: { readonly kind: string; connection?: StdioConnection } | undefined
  #hasBorrowed = false
  #isUsedBefore = false
  #isClosed = false

  constructor(parts: ServerProbeParts) {
    super(parts.entry, parts.cell, parts.log)
    this.target = parts.target
    this.server = parts.facts
    this.waits = parts.waits
    this.support = parts.support
    this.seed = parts.seed
    this.#shared = parts.shared
  }

  /** Whether another check used one of the connections before. */
  get isUsedBefore(): boolean {
    return this.#isUsedBefore
  }

  /**
   * Opens a connection (process, session, socket) with the handshake of the revision; inconclusive if it cannot be
   * opened or the handshake is not answered by a result. Over stdio it may be one that another check has left as it
   * began, unless `fresh` is set.
   */
  async connect(options: ConnectOptions = {}): Promise<ProbeConnection> {
    const kind = this.#hasBorrowed ? undefined : sharedKind(options)
    if (this.#shared === undefined || this.cell.transport !== 'stdio' || kind === undefined)
      return this.#connect(options)
    this.#expectOpen()
    this.#hasBorrowed = true
    const idle = await this.#shared.lend(kind)
    if (this.#isClosed) {
      await this.#shared.giveBack(kind, idle)
      return this.inconclusive('the check was ended before')
    }
    this.#lent = { kind }
    const connection = idle === undefined ? await this.#connect(options) : this.#goOn(idle, options)
    if (connection instanceof StdioConnection) {
      connection.begin()
      this.#lent.connection = connection
    }
    return connection
  }

  async #connect(options: ConnectOptions): Promise<ProbeConnection> {
    const connection = await this.open(options)
    const outcome = await connection.handshake()
    if (outcome !== undefined && outcome.type !== 'result')
      this.inconclusive(`the handshake was not answered by a result: ${describeOutcome(outcome)}`)
    return connection
  }

  #goOn(idle: IdleConnection, options: ConnectOptions): ProbeConnection {
    this.#isUsedBefore = true
    const connection = this.#create(options, idle)
    this.#connections.push(connection)
    return connection
  }

  /** Opens a fresh connection and sends nothing. */
  async open(options: ConnectOptions = {}): Promise<ProbeConnection> {
    this.#expectOpen()
    const connection = this.#create(options)
    this.#connections.push(connection)
    await connection.open()
    return connection
  }

  /** A check whose time is over may still go on: it opens nothing any more. */
  #expectOpen(): void {
    if (this.#isClosed) this.inconclusive('the check was ended before')
  }

  #create(options: ConnectOptions, before?: IdleConnection): ProbeConnection {
    const { revision, transport } = this.cell
    return createConnection(this.target, transport, revision, options, {
      ...(before !== undefined && { before }),
      log: this.log,
      waits: () => this.waits,
      guard: (message) => {
        guardCalls(this.support.permission, this.server.tools, message)
      },
      onTimeout: () => {
        this.timedOut = true
      },
      inputSchema: (name) => {
        const schema = this.server.tools.find((tool) => tool['name'] === name)?.['inputSchema']
        return isJsonObject(schema) ? schema : undefined
      },
    })
  }

  /** `connect` for a check of stdio alone. */
  async connectStdio(options: ConnectOptions = {}): Promise<StdioConnection> {
    return this.#only(await this.#connect(options), StdioConnection)
  }

  /** `connect` for a check of Streamable HTTP alone. */
  async connectHttp(options: ConnectOptions = {}): Promise<HttpConnection> {
    return this.#only(await this.connect(options), HttpConnection)
  }

  /** `connect` for a check of HTTP+SSE alone. */
  async connectSse(options: ConnectOptions = {}): Promise<SseConnection> {
    return this.#only(await this.connect(options), SseConnection)
  }

  /** `connect` for a check of WebSockets alone. */
  async connectWebSocket(options: ConnectOptions = {}): Promise<WebSocketConnection> {
    return this.#only(await this.connect(options), WebSocketConnection)
  }

  /** Sends one HTTP request outside of any session, to any URL; the URL of the cell's transport if not given. */
  http(request: Partial<RawHttpRequest> & { readonly method: string }): HttpExchange {
    const { transport } = this.cell
    const place = this.target[transport]
    const url = request.url ?? (typeof place === 'string' ? place.replace(/^ws/, 'http') : '')
    const exchange = new HttpExchange(
      { ...request, url },
      {
        inbox: new Inbox(),
        log: this.log,
        connection: this.log.connection(transport, this.cell.revision),
        number: 1,
      },
    )
    this.#exchanges.push(exchange)
    return exchange
  }

  /**
   * Waits for something that the server owes, as long as for an answer; undefined if it does not come. What rests on
   * that is examined again with more time.
   */
  async owed<Value>(work: Promise<Value>, factor = 1): Promise<Value | undefined> {
    const late = elapsed(this.waits.answerMs * factor).then((): typeof LATE => LATE)
    const first = await Promise.race([work, late])
    if (first !== LATE) return first
    this.timedOut = true
    return undefined
  }

  /** The server that wants a token; not applicable if none is known. */
  protectedServer(): ProtectedServer {
    const { protected: known, http, headers = {} } = this.target
    if (known !== undefined) return known
    const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization') ?? []
    const token = /^bearer (.+)$/i.exec(value ?? '')?.[1]
    if (http === undefined || token === undefined) this.notApplicable('no token for the server is known')
    return { url: http, token }
  }

  /** `connectHttp` to the server that wants a token, with that token or a good one. */
  connectProtected(options: ConnectOptions & { readonly token?: string } = {}): Promise<HttpConnection> {
    const { url, token: good } = this.protectedServer()
    const { token = good, headers, ...rest } = options
    return this.connectHttp({ ...rest, url, headers: { ...headers, authorization: `Bearer ${token}` } })
  }

  /** Whether the server declares a capability, as a dotted path: `resources.subscribe`. */
  declares(path: string): boolean {
    let value: unknown = this.server.capabilities
    for (const step of path.split('.')) value = isJsonObject(value) ? value[step] : undefined
    return value !== undefined && value !== false
  }

  /** Ends the check as not applicable unless the server declares a capability. */
  requireCapability(path: string): void {
    if (!this.declares(path)) this.notApplicable(`the server does not declare ${path}`)
  }

  /** A tool with a certain behaviour; not applicable without one, or without permission to call it. */
  fixture(kind: FixtureKind): FixtureTool {
    const found = this.findFixture(kind)
    if (found === undefined) this.notApplicable(`no tool for "${kind}" was found that may be called`)
    return found
  }

  /** The same, or undefined. */
  findFixture(kind: FixtureKind): FixtureTool | undefined {
    const { tools } = this.server
    const found = findFixture(kind, tools, this.support.fixtures)
    return found !== undefined && mayCall(this.support.permission, found.tool) ? found : undefined
  }

  /** A cheap request that every server with that capability answers: a list, or the barrier. */
  cheapRequest(): { readonly method: string; readonly params?: JsonObject } {
    if (this.isModern) return { method: 'server/discover' }
    return { method: 'ping' }
  }

  /**
   * Ends every connection. Called by the runner.
   *
   * @param isOver the check has ended by itself, so that another may go on with a connection of it
   */
  async closeAll(isOver = false): Promise<void> {
    this.#isClosed = true
    for (const exchange of this.#exchanges) exchange.close()
    const left = isOver ? this.#leftAsItBegan() : undefined
    const idle = left?.release()
    await Promise.all(
      this.#connections.filter((each) => each !== left).map((connection) => connection.close()),
    )
    if (this.#lent !== undefined) await this.#shared?.giveBack(this.#lent.kind, idle)
  }

  /** The lent connection, if its session is as it was. */
  #leftAsItBegan(): StdioConnection | undefined {
    const connection = this.#lent?.connection
    const use = connection?.use
    if (use === undefined) return undefined
    const { tools } = this.server
    const isReadOnly = (name: string) => {
      const tool = tools.find((each) => each['name'] === name)
      return tool === undefined || mayCall({ readOnly: true }, tool)
    }
    return leavesNoTrace({ ...use, isReadOnly }) ? connection : undefined
  }

  #only<Kind extends ProbeConnection>(
    connection: ProbeConnection,
    kind: abstract new (...parts: never[]) => Kind,
  ): Kind {
    if (connection instanceof kind) return connection
    throw new TypeError(`${this.entry.id} does not run over ${connection.transport}`)
  }
}

/** What a session is opened with, for those that others may go on with; undefined for all others. */
function sharedKind({ capabilities = {}, ...others }: ConnectOptions): string | undefined {
  return Object.keys(others).length === 0 ? JSON.stringify(capabilities) : undefined
}
