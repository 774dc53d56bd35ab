import { Emitter } from '../../protocol/emitter.ts'
import { isDeepStrictEqual } from 'node:util'
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
} from '../entries.ts'
import type { Invocation } from '../invocation.ts'
import { findResource } from '../view.ts'
import type { MessageEndpoint } from './message-endpoint.ts'
import type { Definitions } from './definitions.ts'
import {
  completion,
  promptEntries,
  resourceEntries,
  templateEntries,
  toolEntries,
  type CallHandler,
} from './remote-entries.ts'
import { HandlersGoneError, Session, type HandlersMessages } from './session.ts'

/** Milliseconds that handlers without a limit of their own may take. */
const DEFAULT_LIMIT_MS = 60_000

export type PortRegistryOptions = {
  /** Opens a channel to a place that runs `serveInvocations`: at the start, and again after that place ended. */
  readonly open: () => Promise<MessageEndpoint>
  /** Milliseconds between a handler's time limit and the end of its process, if that is blocked. */
  readonly graceMs?: number
  /** Milliseconds in which a new place must have said what it serves. */
  readonly startTimeoutMs?: number
  /** Called each time the other side has ended, with the reason as a clause. */
  readonly onGone?: (reason: string) => void
  /** Called when the other side had no call to run for that many milliseconds; a `stop` then disturbs nobody. */
  readonly idle?: { readonly ms: number; readonly then: () => void }
  /** How what runs the handlers is called in errors. */
  readonly words?: HandlersMessages
}

/** A view of a registry whose handlers run at the other end of a channel. */
export type PortRegistry = RegistryView & {
  /** Ends the other side at once; calls in flight fail. A later call would start it again. */
  close(): void
  /**
   * Lets the other side clean up what its handlers share, and ends it. Rejects with what the clean-up threw. A call that
   * comes meanwhile starts it again.
   */
  stop(): Promise<void>
  /** Counts idleness in other milliseconds from now on. */
  setIdle(ms: number): void
}

/**
 * Opens the channel and gives the view once the other side has said what it serves. The store stays on this side.
 * When the other side ends, the calls in flight fail with an error that says why, and the next call opens a new
 * channel. Rejects with a `HandlersGoneError` if the first channel fails.
 */
export async function portRegistry(options: PortRegistryOptions): Promise<PortRegistry> {
  const registry = new RemoteRegistry(options)
  await registry.session()
  return registry
}

/**
 * The view of a registry whose definitions are known: no channel is opened before the first call. What the other side
 * then says that it serves counts.
 */
export function knownPortRegistry(definitions: Definitions, options: PortRegistryOptions): PortRegistry {
  return new RemoteRegistry(options, definitions)
}

type Lists = {
  readonly tools: readonly ToolEntry[]
  readonly resources: readonly ResourceEntry[]
  readonly templates: readonly ResourceTemplateEntry[]
  readonly prompts: readonly PromptEntry[]
}

const NOTHING: Definitions = {
  tools: [],
  resources: [],
  templates: [],
  prompts: [],
  listStabilities: { tools: 'changes', resources: 'changes', prompts: 'changes' },
}

class RemoteRegistry implements PortRegistry {
  readonly #options: PortRegistryOptions
  readonly #changes = new Emitter<RegistryChange>()
  #session: Promise<Session> | undefined
  #definitions = NOTHING
  #lists: Lists = { tools: [], resources: [], templates: [], prompts: [] }
  #toolsByName: ReadonlyMap<string, ToolEntry> = new Map()
  #resourcesByUri: ReadonlyMap<string, ResourceEntry> = new Map()
  #promptsByName: ReadonlyMap<string, PromptEntry> = new Map()
  #running = 0
  #idleMs: number | undefined
  #idleTimer: NodeJS.Timeout | undefined
  readonly #call: CallHandler = async (target, invocation, limitMs = DEFAULT_LIMIT_MS) => {
    this.#running += 1
    try {
      return await (await this.session()).call(target, invocation, limitMs)
    } finally {
      this.#running -= 1
      this.#watchIdle()
    }
  }

  constructor(options: PortRegistryOptions, definitions?: Definitions) {
    this.#options = options
    this.#idleMs = options.idle?.ms
    if (definitions !== undefined) this.#take(definitions)
  }

  /** The open channel; opens one if there is none. */
  session(): Promise<Session> {
    if (this.#session === undefined) {
      const opening = this.#open(() => {
        if (this.#session === opening) this.#session = undefined
      })
      this.#session = opening
      opening.catch(() => {
        if (this.#session === opening) this.#session = undefined
      })
    }
    return this.#session
  }

  close(): void {
    void this.#session?.then((session) => {
      session.close()
    })
  }

  async stop(): Promise<void> {
    const opened = this.#session
    // A call from now on opens a new one; this one takes no more.
    this.#session = undefined
    const session = await opened?.catch(() => undefined)
    await session?.stop()
  }

  setIdle(ms: number): void {
    this.#idleMs = ms
    this.#watchIdle()
  }

  tools(): readonly ToolEntry[] {
    return this.#lists.tools
  }
  tool(name: string): ToolEntry | undefined {
    return this.#toolsByName.get(name)
  }
  resources(): readonly ResourceEntry[] {
    return this.#lists.resources
  }
  resourceTemplates(): readonly ResourceTemplateEntry[] {
    return this.#lists.templates
  }
  resourceFor(uri: string): ReturnType<RegistryView['resourceFor']> {
    return findResource(uri, this.#resourcesByUri.get(uri), this.#lists.templates)
  }
  prompts(): readonly PromptEntry[] {
    return this.#lists.prompts
  }
  prompt(name: string): PromptEntry | undefined {
    return this.#promptsByName.get(name)
  }

  complete(
    ref: CompletionRef,
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>>,
    invocation: Invocation,
  ): Promise<CompletionOutcome | undefined> {
    return completion(this.#call({ op: 'complete', ref, argument, context }, invocation))
  }

  /** What is fixed over there may still differ in the place that comes after it. */
  listStability(kind: ListKind): ListStability {
    const listStability = this.#definitions.listStabilities[kind]
    return listStability === 'fixed' ? 'changes' : listStability
  }

  onChange(listener: (change: RegistryChange) => void): () => void {
    return this.#changes.listen(listener)
  }

  #watchIdle(): void {
    clearTimeout(this.#idleTimer)
    if (this.#running > 0 || this.#idleMs === undefined) return
    this.#idleTimer = setTimeout(() => {
      if (this.#running === 0 && this.#session !== undefined) this.#options.idle?.then()
    }, this.#idleMs).unref()
  }

  async #open(over: () => void): Promise<Session> {
    const { open, graceMs = 250, startTimeoutMs = 10_000, onGone, words } = this.#options
    const end = await open()
    const ready = Promise.withResolvers<string | undefined>()
    const session = new Session(
      end,
      { graceMs, words },
      {
        definitions: (definitions) => {
          this.#take(definitions)
          ready.resolve(undefined)
        },
        updated: (uri) => {
          this.#emit({ type: 'updated', uri })
        },
      },
    )
    void session.closed.then((reason) => {
      over()
      ready.resolve(reason)
      onGone?.(reason)
    })
    const late = setTimeout(() => {
      const failure = `said nothing for ${startTimeoutMs / 1_000} s after its start`
      ready.resolve(failure)
      session.close(failure)
    }, startTimeoutMs)
    const failure = await ready.promise
    clearTimeout(late)
    if (failure === undefined) return session
    throw new HandlersGoneError(`${words?.subject ?? 'The process that should run the handlers'} ${failure}.`)
  }

  /** Applies the registered entries of the other side; unchanged ones keep their arrays and entries. */
  #take(now: Definitions): void {
    const before = this.#definitions
    const call = this.#call
    const changed = (kind: keyof Omit<Definitions, 'listStabilities'>) =>
      !isDeepStrictEqual(before[kind], now[kind])
    const tools = changed('tools')
    const resources = changed('resources')
    const templates = changed('templates')
    const prompts = changed('prompts')
    const lists = this.#lists
    this.#lists = {
      tools: tools ? toolEntries(now.tools, lists.tools, call) : lists.tools,
      resources: resources ? resourceEntries(now.resources, call) : lists.resources,
      templates: templates ? templateEntries(now.templates, call) : lists.templates,
      prompts: prompts ? promptEntries(now.prompts, call) : lists.prompts,
    }
    if (tools) this.#toolsByName = new Map(this.#lists.tools.map((tool) => [tool.name, tool]))
    if (resources) this.#resourcesByUri = new Map(this.#lists.resources.map((entry) => [entry.uri, entry]))
    if (prompts) this.#promptsByName = new Map(this.#lists.prompts.map((prompt) => [prompt.name, prompt]))
    this.#definitions = now
    if (before === NOTHING) return
    if (tools) this.#emit({ type: 'list', kind: 'tools' })
    if (resources || templates) this.#emit({ type: 'list', kind: 'resources' })
    if (prompts) this.#emit({ type: 'list', kind: 'prompts' })
  }

  #emit(change: RegistryChange): void {
    this.#changes.emit(change)
  }
}
