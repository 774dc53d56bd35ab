import { Emitter } from '../../protocol/emitter.ts'
import { setTimeout as wait } from 'node:timers/promises'
import type { Connection } from '../../client/connect.ts'
import type { Declaration } from '../../client/declaration.ts'
import { PeerError, RequestFailedError } from '../../client/errors.ts'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { SerialQueue } from '../../protocol/serial-queue.ts'
import { revisionRow, type Revision } from '../../protocol/revisions.ts'
import type { Upstream, UpstreamFeature, UpstreamSession, SessionEnd } from '../../registry/upstream.ts'
import { isLogLevel, type LogLevel } from '../../protocol/log-level.ts'
import type { ListKind } from '../../protocol/list-kind.ts'
import type {
  CompletionOutcome,
  CompletionRef,
  ListStability,
  PromptEntry,
  RegistryChange,
  RegistryView,
  ResourceEntry,
  ResourceTemplateEntry,
  ToolEntry,
} from '../../registry/entries.ts'
import type { Invocation } from '../../registry/invocation.ts'
import { findResource } from '../../registry/view.ts'
import { forward, runsTasks, type Forwarded } from './forward.ts'
import { UpstreamConnection } from './upstream-connection.ts'
import { UpstreamConnectionPool } from './upstream-connection-pool.ts'
import type { MemberNames } from './member-names.ts'
import {
  madeOf,
  promptEntry,
  readThrough,
  resourceEntry,
  templateEntry,
  toolEntry,
  type Made,
} from './remote-entries.ts'
import { noticeText, type OpenUpstream, type UpstreamNotice } from './upstream.ts'

export type RemoteOptions = {
  readonly open: OpenUpstream
  readonly names: MemberNames
  readonly alias: string | undefined
  readonly declaration: Declaration
  /** All its calls are one client's. */
  readonly isOneClient: boolean
  readonly onNotice: (notice: UpstreamNotice) => void
  /** Milliseconds before a disconnected server is tried again, twice as many each time up to 30,000; 1,000. */
  readonly retryMs?: number | undefined
  /** The entries of a disconnected server stay; calls then fail with the reason. */
  readonly keepsEntries?: boolean
  /** Provides connections of the calling client; without it calls use those of the one declaration. */
  readonly take?: UpstreamConnectionPool['take']
}

const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 30_000

/** What a server lists, as entries. */
type Lists = {
  readonly tools: readonly Made<ToolEntry>[]
  readonly resources: readonly Made<ResourceEntry>[]
  readonly templates: readonly Made<ResourceTemplateEntry>[]
  readonly prompts: readonly Made<PromptEntry>[]
}

const NOTHING: Lists = { tools: [], resources: [], templates: [], prompts: [] }

/**
 * The registry of a server behind the proxy, for one client in front: its entries, while it is connected. A disconnected
 * server loses them and is tried again until it is back; subscriptions and the log level are then set
 * up again.
 */
export class Remote implements RegistryView {
  readonly upstream: Upstream
  readonly #options: RemoteOptions
  readonly #changes = new Emitter<RegistryChange>()
  readonly #ending = new AbortController()
  /** By URI: how many want to learn of it. */
  readonly #subscriptions = new Map<string, number>()
  readonly #settled = Promise.withResolvers<Error | undefined>()
  #first: UpstreamConnection | undefined
  #lines: UpstreamConnectionPool | undefined
  #sessionEnd: SessionEnd | undefined
  #level: LogLevel | undefined
  #reason: string | undefined
  #lists = NOTHING
  #shown = shownOf(NOTHING)
  readonly #readings = new SerialQueue()

  constructor(options: RemoteOptions) {
    this.#options = options
    this.upstream = {
      offers: (feature) => this.#offers(feature),
      subscribe: (uri) => this.#subscribe(uri),
      session: (end) => this.#session(end),
    }
    void this.#keep()
  }

  /** Resolves once the first try came to its end: with nothing if the server is there, else with the reason. */
  get settled(): Promise<Error | undefined> {
    return this.#settled.promise
  }

  /** The connection that lists and subscribes; undefined while disconnected. */
  get connection(): Connection | undefined {
    return this.#lines === undefined ? undefined : this.#first?.connection
  }

  /** What its server says of its use; with the alias in front where there is one. */
  get instructions(): string | undefined {
    const { alias } = this.#options
    const text = this.connection?.instructions
    return text === undefined || alias === undefined ? text : `${alias}: ${text}`
  }

  tools(): readonly ToolEntry[] {
    return this.#shown.tools
  }
  tool(name: string): ToolEntry | undefined {
    return this.#shown.tools.find((tool) => tool.name === name)
  }
  resources(): readonly ResourceEntry[] {
    return this.#shown.resources
  }
  resourceTemplates(): readonly ResourceTemplateEntry[] {
    return this.#shown.templates
  }
  /** A server may read what no list of its names. */
  resourceFor(uri: string): ReturnType<RegistryView['resourceFor']> {
    const { resources, templates } = this.#shown
    const listed = resources.find((resource) => resource.uri === uri)
    const found = findResource(uri, listed, templates)
    if (found !== undefined || !this.hasResources) return found
    return { read: (invocation) => readThrough(uri, invocation, this.#send), reentrant: false }
  }
  prompts(): readonly PromptEntry[] {
    return this.#shown.prompts
  }
  prompt(name: string): PromptEntry | undefined {
    return this.#shown.prompts.find((prompt) => prompt.name === name)
  }

  /** Whether its server has resources at all. */
  get hasResources(): boolean {
    return isJsonObject(this.connection?.capabilities['resources'])
  }

  async complete(
    ref: CompletionRef,
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>>,
    invocation: Invocation,
  ): Promise<CompletionOutcome | undefined> {
    const named = ref.type === 'ref/prompt' ? this.#ownPrompt(ref.name) : undefined
    const params = {
      ref: named === undefined ? ref : { type: ref.type, name: named },
      argument,
      ...(Object.keys(context).length > 0 && { context: { arguments: context } }),
    }
    const result = await this.#send({ method: 'completion/complete', params }, invocation)
    const { completion } = result
    const { values, total, hasMore } = isJsonObject(completion) ? completion : {}
    return {
      values: Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [],
      ...(typeof total === 'number' && { total }),
      ...(typeof hasMore === 'boolean' && { hasMore }),
    }
  }

  /** What its server lacks today it may have after a reconnect. */
  listStability(kind: ListKind): ListStability {
    const capabilities = this.connection?.capabilities
    if (capabilities === undefined) return 'may-appear'
    return isJsonObject(capabilities[kind]) ? 'may-appear' : 'changes'
  }

  onChange(listener: (change: RegistryChange) => void): () => void {
    return this.#changes.listen(listener)
  }

  async close(): Promise<void> {
    this.#ending.abort(new Error('the proxy closes'))
    this.#settled.resolve(new Error('the proxy closes'))
    await Promise.all([this.#first?.close(), this.#lines?.close()])
  }

  readonly #send = async (request: Forwarded, invocation: Invocation): Promise<JsonObject> => {
    const lines = this.#lines
    const { alias, take } = this.#options
    if (lines === undefined) throw gone(alias, this.#reason)
    const { line, release } = await (take?.(invocation) ?? lines.take(invocation))
    try {
      return await forward(line, request, invocation)
    } finally {
      release()
    }
  }

  /** Connects, and again whenever the connection is lost, until the proxy closes. */
  async #keep(): Promise<void> {
    const { alias, retryMs = FIRST_RETRY_MS } = this.#options
    const { signal } = this.#ending
    let failures = 0
    for (;;) {
      let reason: Error
      try {
        const lost = Promise.withResolvers<string>()
        await this.#connect(lost.resolve)
        this.#reason = undefined
        this.#notify({ type: 'up', alias, after: failures })
        this.#settled.resolve(undefined)
        failures = 0
        reason = new Error(await lost.promise)
      } catch (error) {
        reason = error instanceof Error ? error : new Error(String(error))
      }
      this.#reason = reason.message
      await this.#lost()
      if (this.#isClosing) return
      const delay = Math.min(LONGEST_RETRY_MS, retryMs * 2 ** failures)
      failures += 1
      this.#notify({ type: 'down', alias, reason: reason.message, retryMs: delay })
      this.#settled.resolve(reason)
      await wait(delay, undefined, { signal }).catch(() => undefined)
    }
  }

  get #isClosing(): boolean {
    return this.#ending.signal.aborted
  }

  /** The client is notified too, where that is possible. */
  #notify(notice: UpstreamNotice): void {
    this.#options.onNotice(notice)
    const level = notice.type === 'up' ? 'notice' : 'warning'
    this.#sessionEnd?.emit({ type: 'log', level, logger: 'patchbay', data: noticeText(notice) })
  }

  async #connect(onLost: (reason: string) => void): Promise<void> {
    const first = this.#line(onLost)
    this.#first = first
    const connection = await first.open()
    const lines = new UpstreamConnectionPool(first, this.#options.isOneClient, async () => {
      const line: UpstreamConnection = this.#line(() => lines.lost(line))
      await line.open()
      return line
    })
    await this.#readAll(first)
    this.#lines = lines
    for (const uri of this.#subscriptions.keys()) await connection.subscribe(uri).catch(() => undefined)
    if (this.#level !== undefined) await this.#setLevel(connection, this.#level)
    this.#show()
  }

  #line(onClosed: (reason: string) => void): UpstreamConnection {
    const { open, declaration, alias } = this.#options
    const line: UpstreamConnection = new UpstreamConnection({
      open,
      declaration,
      alias,
      onClosed,
      sessionEnd: () => this.#sessionEnd,
      onListChanged: (kind) => {
        if (line === this.#first) this.#readSoon(line, kind)
      },
      onUpdated: (uri) => {
        this.#publish({ type: 'updated', uri })
      },
    })
    return line
  }

  async #lost(): Promise<void> {
    const lines = this.#lines
    const first = this.#first
    this.#lines = undefined
    this.#first = undefined
    if (this.#options.keepsEntries !== true) {
      this.#lists = NOTHING
      this.#show()
    }
    await Promise.all([lines?.close(), first?.close()])
  }

  /** Reads the lists again, one reading after the other; a change during a reading is read after it. */
  #readSoon(line: UpstreamConnection, kind: ListKind): void {
    const read = this.#readings.run(async () => {
      await this.#readAll(line)
      if (this.#lines === undefined || line !== this.#first) return
      const told = this.#show()
      // Served on as it is, a server is taken at its word; its lists may differ for others, or have differed meanwhile.
      if (this.#options.alias === undefined && !told.has(kind)) this.#publish({ type: 'list', kind })
    })
    // What cannot be listed stays as it was; a connection that ended says so itself.
    read.catch(() => undefined)
  }

  async #readAll(line: UpstreamConnection): Promise<void> {
    const { connection } = line
    const { names } = this.#options
    const { capabilities } = connection
    const has = (kind: ListKind) => isJsonObject(capabilities[kind])
    const options = { cache: 'refresh', signal: this.#ending.signal } as const
    const none = { items: [] as readonly JsonObject[] }
    const [tools, resources, templates, prompts] = await Promise.all([
      has('tools') ? connection.listTools(options) : none,
      has('resources') ? connection.listResources(options) : none,
      has('resources') ? connection.listResourceTemplates(options).catch(unlessUnknown) : none,
      has('prompts') ? connection.listPrompts(options) : none,
    ])
    const before = this.#lists
    const tasks = runsTasks(line)
    this.#lists = {
      tools: madeOf(tools.items, before.tools, (raw) => toolEntry(raw, names, tasks, this.#send)),
      resources: madeOf(resources.items, before.resources, (raw) => resourceEntry(raw, this.#send)),
      templates: madeOf(templates.items, before.templates, (raw) => templateEntry(raw, this.#send)),
      prompts: madeOf(prompts.items, before.prompts, (raw) => promptEntry(raw, names, this.#send)),
    }
  }

  /** Applies what was read, notifies of the differences, and returns the kinds that changed. */
  #show(): ReadonlySet<ListKind> {
    const before = this.#shown
    const now = shownOf(this.#lists)
    this.#shown = {
      tools: sameEntries(before.tools, now.tools) ? before.tools : now.tools,
      resources: sameEntries(before.resources, now.resources) ? before.resources : now.resources,
      templates: sameEntries(before.templates, now.templates) ? before.templates : now.templates,
      prompts: sameEntries(before.prompts, now.prompts) ? before.prompts : now.prompts,
    }
    const { tools, resources, templates, prompts } = this.#shown
    const differing = new Set<ListKind>()
    if (tools !== before.tools) differing.add('tools')
    if (resources !== before.resources || templates !== before.templates) differing.add('resources')
    if (prompts !== before.prompts) differing.add('prompts')
    for (const kind of differing) this.#publish({ type: 'list', kind })
    return differing
  }

  /** A disconnected server may have it when it is back. */
  #offers(feature: UpstreamFeature): boolean {
    const { capabilities, revision } = this.connection ?? {}
    if (capabilities === undefined || revision === undefined) return true
    if (feature !== 'subscriptions') {
      return isJsonObject(capabilities[feature]) || !hasCapability(revision, feature)
    }
    const { resources } = capabilities
    return isJsonObject(resources) && resources['subscribe'] === true
  }

  async #subscribe(uri: string): Promise<() => void> {
    const count = this.#subscriptions.get(uri) ?? 0
    const { connection } = this
    if (count === 0) {
      if (connection === undefined) throw gone(this.#options.alias, this.#reason)
      await connection.subscribe(uri).catch(passedOn)
    }
    this.#subscriptions.set(uri, (this.#subscriptions.get(uri) ?? 0) + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const left = (this.#subscriptions.get(uri) ?? 1) - 1
      if (left > 0) this.#subscriptions.set(uri, left)
      else {
        this.#subscriptions.delete(uri)
        // A disconnected server has forgotten it anyway.
        this.connection?.unsubscribe(uri).catch(() => undefined)
      }
    }
  }

  #session(end: SessionEnd): UpstreamSession {
    this.#sessionEnd = end
    return {
      onMessage: (method, params) => {
        const { connection } = this
        if (method === 'logging/setLevel') {
          const { level } = params
          if (!isLogLevel(level)) return
          this.#level = level
          if (connection !== undefined) void this.#setLevel(connection, level)
        } else if (method === 'notifications/roots/list_changed') {
          connection?.notify(method).catch(() => undefined)
        }
      },
      ended: () => {
        if (this.#sessionEnd === end) this.#sessionEnd = undefined
      },
    }
  }

  async #setLevel(connection: Connection, level: LogLevel): Promise<void> {
    if (!isJsonObject(connection.capabilities['logging'])) return
    // The client's own floor holds in front in any case.
    await connection.setLogLevel(level).catch(() => undefined)
  }

  #ownPrompt(name: string): string {
    const made = this.#lists.prompts.find(({ entry }) => entry.name === name)
    return made === undefined ? name : String(made.raw['name'])
  }

  #publish(change: RegistryChange): void {
    this.#changes.emit(change)
  }
}

type Shown = {
  readonly tools: readonly ToolEntry[]
  readonly resources: readonly ResourceEntry[]
  readonly templates: readonly ResourceTemplateEntry[]
  readonly prompts: readonly PromptEntry[]
}

function shownOf({ tools, resources, templates, prompts }: Lists): Shown {
  return {
    tools: tools.map(({ entry }) => entry),
    resources: resources.map(({ entry }) => entry),
    templates: templates.map(({ entry }) => entry),
    prompts: prompts.map(({ entry }) => entry),
  }
}

function sameEntries(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before.length === now.length && before.every((entry, index) => entry === now[index])
}

/** A revision without the capability has the feature without it. */
function hasCapability(revision: Revision, feature: string): boolean {
  return revisionRow(revision)?.serverCapabilities.includes(feature) === true
}

/** A server with resources may have no templates at all, and say so. */
function unlessUnknown(error: unknown): { readonly items: readonly JsonObject[] } {
  if (error instanceof PeerError && error.code === ErrorCode.methodNotFound) return { items: [] }
  throw error
}

function passedOn(error: unknown): never {
  if (error instanceof PeerError) throw new ProtocolError(error.code, error.message, error.data)
  if (error instanceof RequestFailedError) throw new ProtocolError(ErrorCode.internalError, error.message)
  throw error
}

function gone(alias: string | undefined, reason: string | undefined): ProtocolError {
  const who = alias === undefined ? 'The server behind the proxy' : `The server "${alias}" behind the proxy`
  const why = reason === undefined ? '' : ` (${reason})`
  return new ProtocolError(
    ErrorCode.internalError,
    `${who} is not there just now${why}; it is tried again by itself.`,
  )
}
