import type { TransportKind } from '../../protocol/transport-kind.ts'
import type { Connection } from '../../client/connection.ts'
import type { Declaration } from '../../client/declaration.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { revisionRow } from '../../protocol/revisions.ts'
import type { TapSource } from '../../capture/row.ts'
import type { TrafficLog } from '../../capture/traffic-log.ts'
import type { Tap } from '../../ports/tap.ts'
import type { TransportFactory } from '../../transports/opener.ts'
import type { ClientAuthorization } from '../../ports/client-authorization.ts'
import { approvalHash, type Approvable } from '../../profile/approvals.ts'
import type { ServerEntry } from '../../workspace/server-entries.ts'
import type { ServerTasks } from '../contract/tasks.ts'
import type { OutputChecks } from '../inspect/output-checks.ts'
import type { Inspection } from '../contract/inspection.ts'
import type {
  Approval,
  Paste,
  Protocol,
  RemoteTransport,
  ServerDraft,
  ServerLatency,
  ServerState,
} from '../contract/servers.ts'
import type { EventHub } from '../events/event-hub.ts'
import { HostError } from '../host-error.ts'
import type { ProcessRegistry } from '../../processes/process-registry.ts'
import { readOtherFormats } from '../paste/other-formats.ts'
import { readPaste } from '../paste/read-paste.ts'
import type { ConnectionResponders } from '../responders/responders-service.ts'
import { approvalDetails } from './approval-details.ts'
import { checkTransport, inStartFolder } from '../../profile/entry-draft.ts'
import { choicesOf, type Choices } from '../../profile/choices.ts'
import { EMBEDDED_ID, EMBEDDED_NAME } from './embedded-identity.ts'
import { LiveServer, type Identity, type Prepared } from './live-server.ts'
import { openTarget } from './open-target.ts'
import { secretsOf } from '../../profile/secret-fields.ts'
import { summaryOf, type StoredServer, type ServerStore } from '../../profile/server-store.ts'

export type ServersServiceOptions = {
  readonly store: ServerStore
  readonly traffic: TrafficLog
  /** What sees the frames of a connection. */
  readonly tapOf: (source: TapSource, transport: TransportKind) => Tap
  readonly events: EventHub
  readonly identity: Identity
  /** Keeps which servers' processes live. */
  readonly processes: ProcessRegistry
  readonly outputChecks: OutputChecks
  /** What is declared to a server for which nothing else was chosen. */
  readonly declaration: Declaration
  /** How to reach the embedded server now, or undefined while it does not listen. */
  readonly embeddedTarget: () => Approvable | undefined
  /** Begins to answer what a server asks over a new connection. */
  readonly answering: (server: { readonly id: string; readonly name: string }) => ConnectionResponders
  /** What gets the right to call a target, where the user gave no credentials. */
  readonly authorizationFor: (id: string, target: Approvable) => Promise<ClientAuthorization | undefined>
  /** Absolute path of the folder that an entry gets if the user gives it none. */
  readonly startFolder?: string
}

/** A server as others than its connection may reach it. */
export type ReachedServer = {
  readonly target: Approvable
  readonly name: string
  readonly authorization?: ClientAuthorization
}

type Pin = {
  readonly transport?: RemoteTransport | undefined
  readonly protocol?: Protocol | undefined
}

/**
 * All servers that a user sees: the stored ones and the embedded one, each with its connection. A stored server
 * is started only by its id, from its stored entry, and only while that entry is what the user approved.
 */
export class ServersService {
  readonly #options: ServersServiceOptions
  readonly #live = new Map<string, LiveServer>()
  #stored: readonly StoredServer[] = []
  #embeddedChoices: Choices = {}
  #isClosed = false

  constructor(options: ServersServiceOptions) {
    this.#options = options
  }

  /** Reads the stored servers again. */
  async refresh(): Promise<void> {
    const { store: store } = this.#options
    ;[this.#stored, this.#embeddedChoices] = await Promise.all([store.list(), store.embeddedChoices()])
    this.#options.events.publish({ type: 'part', part: 'servers' })
  }

  /**
   * Reads the stored servers after another program may have changed them. Connections of servers that were removed are
   * ended. Nothing is published if all is as it was.
   */
  async refreshFromDisk(): Promise<void> {
    if (this.#isClosed) return
    const known = JSON.stringify(this.#stored.map(storedState))
    const stored = await this.#options.store.list()
    if (JSON.stringify(stored.map(storedState)) === known) return
    await this.refresh()
    const ids = new Set([EMBEDDED_ID, ...this.#stored.map(({ entry }) => entry.id)])
    for (const [id, live] of [...this.#live]) {
      if (ids.has(id)) continue
      await live.close()
      // `remove` may have ended it too, and `restore` may have made another.
      if (this.#live.get(id) === live) this.#live.delete(id)
    }
  }

  /** The embedded server first, then the stored ones in their order. */
  states(): ServerState[] {
    return [this.#embeddedState(), ...this.#stored.map((stored) => this.#stateOf(stored))]
  }

  /** What was set up by hand on each server that was ever looked at. */
  inspections(): Inspection[] {
    return Array.from(this.#live, ([serverId, live]) => ({ serverId, ...live.inspection.state() }))
  }

  /** The tasks of each server that was ever looked at. */
  tasks(): ServerTasks[] {
    return Array.from(this.#live, ([serverId, live]) => ({ serverId, tasks: live.inspection.tasks.list() }))
  }

  /** How long each connected server takes for its calls. */
  latencies(): ServerLatency[] {
    return Array.from(this.#live, ([serverId, { latency }]) => ({ serverId, latency })).flatMap(
      ({ serverId, latency }) => (latency === undefined ? [] : [{ serverId, ...latency }]),
    )
  }

  /** @throws HostError `NOT_FOUND` */
  state(id: string): ServerState {
    if (id === EMBEDDED_ID) return this.#embeddedState()
    return this.#stateOf(this.#bookedOf(id))
  }

  /** The live side of a server. @throws HostError `NOT_FOUND` */
  live(id: string): LiveServer {
    if (id !== EMBEDDED_ID) this.#bookedOf(id)
    return this.#liveOf(id)
  }

  /** The open connection of a server. @throws HostError `NOT_CONNECTED` */
  connection(id: string): Connection {
    const { connection } = this.live(id)
    if (connection !== undefined) return connection
    throw new HostError('NOT_CONNECTED', 'There is no open connection to this server. Connect it first.')
  }

  async add(draft: ServerDraft, origin: 'user' | 'imported'): Promise<ServerState> {
    const id = await this.#options.store.add(this.#placed(draft), origin)
    await this.refresh()
    return this.state(id)
  }

  /** Changes an entry. A connection made from the entry as it was before is ended if what is run or sent changed. */
  async update(id: string, draft: ServerDraft): Promise<ServerState> {
    refuseEmbedded(id, 'edited here; its port and token are in its own place')
    const { store: store } = this.#options
    await this.#liveOf(id).change(async () => {
      const before = await store.look(id)
      await store.update(id, this.#placed(draft))
      return { voids: before.hash !== (await store.look(id)).hash }
    })
    await this.refresh()
    return this.state(id)
  }

  /** Reads what a user pasted. Commands in it have the folder in them that they will start in. */
  async readPaste(text: string): Promise<Paste> {
    const { drafts, problems } = (await readOtherFormats(text)) ?? readPaste(text)
    return { drafts: drafts.map((draft) => this.#placed(draft)), problems }
  }

  async draft(id: string): Promise<ServerDraft & { hasBearerToken: boolean }> {
    refuseEmbedded(id, 'edited')
    return this.#options.store.draft(id)
  }

  async remove(id: string): Promise<void> {
    refuseEmbedded(id, 'removed')
    const live = this.#liveOf(id)
    try {
      await live.close(() => this.#options.store.remove(id))
    } finally {
      if (this.#live.get(id) === live) this.#live.delete(id)
    }
    await this.refresh()
  }

  async restore(id: string): Promise<ServerState> {
    await this.#options.store.restore(id)
    await this.refresh()
    return this.state(id)
  }

  async approval(id: string): Promise<Approval> {
    refuseEmbedded(id, 'approved: it is ours')
    return approvalDetails(await this.#options.store.get(id))
  }

  async approve(id: string, hash: string): Promise<ServerState> {
    refuseEmbedded(id, 'approved: it is ours')
    await this.#options.store.approve(id, hash)
    await this.refresh()
    return this.state(id)
  }

  /**
   * Pins transport and revision, or makes them automatic, and reconnects unless it was disconnected. Rejects
   * a transport for a server without a URL, and invalid choices of entries.
   */
  async pin(id: string, pin: Pin): Promise<ServerState> {
    const { transport, protocol } = pin
    return this.#choose(
      id,
      (choices) => {
        const { protocol: _before, ...rest } = choices
        return protocol === undefined ? choices : choicesOf({ ...rest, protocol })
      },
      transport,
    )
  }

  /** Changes what is declared; undefined is what this client declares by itself. Otherwise as `pin`. */
  async declare(id: string, declaration: Declaration | undefined): Promise<ServerState> {
    return this.#choose(id, ({ declaration: _before, ...rest }) => choicesOf({ ...rest, declaration }))
  }

  async #choose(
    id: string,
    change: (choices: Choices) => Choices,
    transport?: RemoteTransport,
  ): Promise<ServerState> {
    const { store: store } = this.#options
    const live = this.live(id)
    // What failed is tried again: another choice may well be the remedy.
    const goesOn = live.status !== 'disconnected'
    await live.change(async () => {
      if (id !== EMBEDDED_ID)
        await store.choose(id, (entry) => chosen(entry, change(choicesOf(entry)), transport))
      else if (transport === undefined) await store.chooseEmbedded(change(await store.embeddedChoices()))
      else refuseEmbedded(id, 'reached in another way than Streamable HTTP')
      return { voids: true }
    })
    await this.refresh()
    if (goesOn && this.state(id).approval === 'approved') await this.connect(id)
    return this.state(id)
  }

  /**
   * Connects a server and resolves when it is connected or has failed.
   *
   * @throws HostError `NOT_APPROVED` if the entry is not what the user approved; then nothing was started
   */
  async connect(id: string): Promise<ServerState> {
    await this.#liveOf(id).connect(() => this.#prepare(id))
    return this.state(id)
  }

  async disconnect(id: string): Promise<ServerState> {
    await this.live(id).disconnect()
    return this.state(id)
  }

  /** Ends a connection and makes it again; as `connect`. If it may not be made, the present one stays. */
  async restart(id: string): Promise<ServerState> {
    await this.#liveOf(id).restart(() => this.#prepare(id))
    return this.state(id)
  }

  /** Runs a change of the embedded server while we are not its client, and connects to it again as it is then. */
  async whileEmbeddedIsOffline<T>(change: () => Promise<T>): Promise<T> {
    try {
      return await this.#liveOf(EMBEDDED_ID).whileDisconnected(change)
    } finally {
      if (this.#options.embeddedTarget() !== undefined) await this.connect(EMBEDDED_ID)
    }
  }

  /** Notifies a server, or all of them, that its roots changed, if it is connected and its revision has that notification. */
  notifyRootsChanged(id: string | undefined): void {
    const method = 'notifications/roots/list_changed'
    for (const [serverId, { connection }] of this.#live) {
      if (connection === undefined || (id !== undefined && id !== serverId)) continue
      const { roots } = connection.declaration.capabilities
      if (!isJsonObject(roots) || roots['listChanged'] !== true) continue
      if (revisionRow(connection.revision)?.notifications[method] === undefined) continue
      // A connection that ends just now needs to hear nothing any more.
      connection.notify(method).catch(() => undefined)
    }
  }

  /** Ends all connections and their processes, for good. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#live.values()].map((live) => live.close()))
  }

  /** Reads what is stored now: what will be run or sent is what was checked. */
  async #prepare(id: string): Promise<Prepared> {
    const { target, name } = await this.startable(id)
    const authorization = id === EMBEDDED_ID ? undefined : await this.#options.authorizationFor(id, target)
    return {
      transports: this.#open(id, name, target, authorization),
      choices: { declaration: this.#options.declaration, ...choicesOf(target) },
      fingerprint: approvalHash(target),
    }
  }

  /**
   * What a server is reached at, secrets included; it stays in the host.
   *
   * @throws HostError `NOT_FOUND`; `NOT_APPROVED` if the entry is not what the user approved
   */
  async approvedTarget(id: string): Promise<Approvable> {
    refuseEmbedded(id, 'authorized: it is ours')
    return (await this.startable(id)).target
  }

  /**
   * What a server is reached at, for those who open connections of their own. It stays in the host.
   *
   * @throws HostError `NOT_FOUND`; `NOT_APPROVED` if the entry is not what the user approved; `NOT_CONNECTED` for the
   * embedded server while it does not listen
   */
  async reachedAt(id: string): Promise<ReachedServer> {
    const { target, name } = await this.startable(id)
    for (const secret of secretsOf(target)) this.#options.traffic.redact(secret)
    const authorization = id === EMBEDDED_ID ? undefined : await this.#options.authorizationFor(id, target)
    return { target, name, ...(authorization !== undefined && { authorization }) }
  }

  /**
   * The ways to a stored server, by its name or id, for others than the window.
   *
   * @throws HostError `NOT_FOUND`; `AMBIGUOUS`; `NOT_APPROVED` if the entry is not what the user approved
   */
  async transportsFor(name: string): Promise<TransportFactory & Choices> {
    const { entry } = await this.#options.store.named(name)
    const { transports, choices } = await this.#prepare(entry.id)
    return { ...choices, ...transports }
  }

  /**
   * What a server is reached at, and its name.
   *
   * @throws HostError `NOT_FOUND`; `NOT_APPROVED`; `NOT_CONNECTED` for the embedded server while it does not listen
   */
  async startable(id: string): Promise<{ target: Approvable; name: string }> {
    if (id === EMBEDDED_ID) {
      const target = this.#options.embeddedTarget()
      const choices = await this.#options.store.embeddedChoices()
      if (target !== undefined) return { target: { ...target, ...choices }, name: EMBEDDED_NAME }
      throw new HostError(
        'NOT_CONNECTED',
        'The embedded server does not listen. Choose a free port for it first.',
      )
    }
    const stored = await this.#options.store.get(id)
    if (stored.approval === 'approved') return { target: stored.target, name: stored.entry.name }
    await this.refresh()
    const why = stored.approval === 'changed' ? 'was changed after you approved it' : 'was never approved'
    throw new HostError(
      'NOT_APPROVED',
      `"${stored.entry.name}" ${why}. Look at what it runs or sends and approve it first.`,
    )
  }

  #open(
    id: string,
    name: string,
    target: Approvable,
    authorization: ClientAuthorization | undefined,
  ): TransportFactory {
    const { traffic, processes, tapOf } = this.#options
    for (const secret of secretsOf(target)) traffic.redact(secret)
    const tap = tapOf({ serverId: id, serverName: name, side: 'client' }, recordedTransport(target.transport))
    return openTarget(target, { tap, processes }, authorization)
  }

  #placed(draft: ServerDraft): ServerDraft {
    const { startFolder } = this.#options
    return startFolder === undefined ? draft : inStartFolder(draft, startFolder)
  }

  #liveOf(id: string): LiveServer {
    const known = this.#live.get(id)
    if (known !== undefined) return known
    const { events, identity, traffic, answering, outputChecks } = this.#options
    const live = new LiveServer(identity, traffic.masking, {
      answering: () => answering({ id, name: this.#nameOf(id) }),
      changed: () => events.publish({ type: 'part', part: 'servers' }),
      listsChanged: (kinds) => events.publish({ type: 'lists', serverId: id, kinds }),
      latencyChanged: () => events.publish({ type: 'part', part: 'latencies' }),
      inspectionChanged: () => events.publish({ type: 'part', part: 'inspections' }),
      tasksChanged: () => events.publish({ type: 'part', part: 'tasks' }),
      checkOutput: (tool, result) => outputChecks.check(id, tool, result),
      resourceUpdated: (uri) => events.publish({ type: 'resource', serverId: id, uri }),
    })
    this.#live.set(id, live)
    if (this.#isClosed) void live.close()
    return live
  }

  #bookedOf(id: string): StoredServer {
    const stored = this.#stored.find(({ entry }) => entry.id === id)
    if (stored === undefined) throw new HostError('NOT_FOUND', 'There is no such server any more.')
    return stored
  }

  #nameOf(id: string): string {
    if (id === EMBEDDED_ID) return EMBEDDED_NAME
    return this.#stored.find(({ entry }) => entry.id === id)?.entry.name ?? id
  }

  #embeddedState(): ServerState {
    const target = this.#options.embeddedTarget()
    const transport = 'http'
    return {
      ...this.#choiceState(transport, this.#embeddedChoices),
      id: EMBEDDED_ID,
      name: EMBEDDED_NAME,
      origin: 'embedded',
      transport,
      summary: target === undefined ? 'not listening' : summaryOf(target),
      approval: 'approved',
      ...this.#liveOf(EMBEDDED_ID).facts(),
    }
  }

  #stateOf({ entry, target, approval, hash }: StoredServer): ServerState {
    const { id, name, origin, transport } = entry
    return {
      ...this.#choiceState(transport, choicesOf(entry)),
      id,
      name,
      origin,
      transport,
      summary: summaryOf(target),
      approval,
      approvalHash: hash,
      ...this.#liveOf(id).facts(),
    }
  }

  #choiceState(
    transport: ServerState['chosen']['transport'],
    { protocol, declaration }: Choices,
  ): Pick<ServerState, 'chosen' | 'declaration'> {
    return {
      chosen: { transport, protocol: protocol ?? 'auto' },
      declaration: { ...(declaration ?? this.#options.declaration), isChosen: declaration !== undefined },
    }
  }
}

/** The entry with these choices in place of those it had. */
function chosen(entry: ServerEntry, choices: Choices, transport: RemoteTransport | undefined): ServerEntry {
  const { protocol: _protocol, declaration: _declaration, ...rest } = entry
  if (transport === undefined) return { ...rest, ...choices }
  if (rest.transport === 'stdio')
    throw new HostError('INVALID_ENTRY', 'A command uses stdio; only a URL has other transports.')
  checkTransport(rest.url, transport)
  return { ...rest, ...choices, transport }
}

function refuseEmbedded(id: string, what: string): void {
  if (id !== EMBEDDED_ID) return
  throw new HostError('EMBEDDED', `The server of this app cannot be ${what}.`)
}

/** What is compared to see whether a stored server changed. */
function storedState({ entry, hash, approval }: StoredServer): unknown {
  return [entry, hash, approval]
}

/** Recordings say how a server is reached; until that is found out it is taken for the usual way. */
function recordedTransport(transport: Approvable['transport']): TransportKind {
  return transport === 'auto' ? 'http' : transport
}
