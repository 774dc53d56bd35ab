import { LIST_KINDS } from '../protocol/list-kind.ts'
import { Emitter } from '../protocol/emitter.ts'
import type { Upstream } from '../registry/upstream.ts'
import type { ListKind } from '../protocol/list-kind.ts'
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
} from '../registry/entries.ts'
import type { Invocation } from '../registry/invocation.ts'
import { RegistryChanges } from '../registry/registry-changes.ts'
import { amended } from './amendment.ts'
import { collisionsText } from './collision.ts'
import { CompositionError } from './composition-error.ts'
import { composedEntries } from './composed-entries.ts'
import { PrefixedEntries } from './prefixed-entries.ts'
import { Prefix } from './prefix.ts'
import { UpstreamSessions } from './upstream-sessions.ts'
import { ComposedEntries, type Placement } from './composed-entry-set.ts'
import { entryKey, type ComposedEntry, type EntryKind, type Source } from './source.ts'
import { ResourceTargets, type Part } from './resource-targets.ts'
import { UpstreamSubscriptions } from './upstream-subscriptions.ts'

export type { Amendment, Amendments } from './amendment.ts'
export type { ComposedEntry, EntryFault, EntryKind, FaultyEntry, Origin, Source, Trouble } from './source.ts'
export { entryKey } from './source.ts'

export type ComposeOptions = {
  /** What may become of every kind; `may-appear` if not given: sources come and go. */
  readonly listStability?: ListStability
}

/**
 * Several registries as one, each under its prefix. Throws a `CompositionError` (`collision`) that names both sides of
 * every name that two of them have, and one (`source`) for an id that is there twice.
 */
export function composeRegistry(
  sources: readonly Source[] = [],
  options: ComposeOptions = {},
): ComposedRegistry {
  const composed = new ComposedRegistry(options)
  composed.batch(() => {
    for (const source of sources) composed.add(source)
  })
  composed.requireNoCollision()
  return composed
}

/** A source in its place. */
type ComposedPart = Part & {
  /** Stops listening to the source. */
  readonly stop: () => void
}

/**
 * A registry of sources that come and go while it is served. Where two have the same name, the one that had it first is
 * served and the other is listed in `entries` with a fault; an override precedes all. Lists are built once per
 * change, unchanged entries are those of their source, and every change that a client can see is notified
 * once.
 */
export class ComposedRegistry implements RegistryView {
  readonly upstream: Upstream
  readonly #listStability: ListStability
  readonly #parts = new Map<string, ComposedPart>()
  readonly #tools = new ComposedEntries<ToolEntry>(({ name }) => name)
  readonly #resources = new ComposedEntries<ResourceEntry>(({ uri }) => uri)
  readonly #templates = new ComposedEntries<ResourceTemplateEntry>(({ uriTemplate }) => uriTemplate)
  readonly #prompts = new ComposedEntries<PromptEntry>(({ name }) => name)
  readonly #changes = new RegistryChanges({
    tools: () => [this.#tools.list()],
    resources: () => [this.#resources.list(), this.#templates.list()],
    prompts: () => [this.#prompts.list()],
  })
  readonly #entryChanges = new Emitter()
  readonly #sessions = new UpstreamSessions()
  readonly #targets = new ResourceTargets(this.#parts, this.#resources, this.#templates)
  readonly #subscriptions = new UpstreamSubscriptions((uri) => this.#targets.targetsOf(uri))
  #entries: readonly ComposedEntry[] | undefined
  #batches = 0
  #entriesTouched = false

  constructor({ listStability = 'may-appear' }: ComposeOptions = {}) {
    this.#listStability = listStability
    this.upstream = {
      offers: (feature) => {
        const parts = [...this.#parts.values()]
        return parts.length === 0 || parts.some(({ source }) => source.view.upstream?.offers(feature) ?? true)
      },
      subscribe: (uri) => this.#subscriptions.subscribe(uri),
      session: (end) => this.#sessions.open(end),
    }
  }

  /** Adds a source behind the others. Throws a `CompositionError` (`source`) if one of that id is there. */
  add(source: Source): void {
    if (this.#parts.has(source.id)) {
      const message = `there is a source "${source.id}" already; replace it, or give the new one another id`
      throw new CompositionError('source', message)
    }
    this.#set(source)
  }

  /** Puts a source in the place of the one with its id; without one it is added. */
  replace(source: Source): void {
    this.#set(source)
  }

  /** Removes a source; returns false if there is none of that id. */
  remove(id: string): boolean {
    const part = this.#parts.get(id)
    if (part === undefined) return false
    this.batch(() => {
      this.#leave(part)
      this.#parts.delete(id)
      for (const table of this.#tables()) {
        table.remove(id)
        table.setOrder([...this.#parts.keys()])
      }
      this.#touchEntries()
    })
    return true
  }

  has(id: string): boolean {
    return this.#parts.has(id)
  }

  /** Makes many changes at once: clients are notified at the end, once of each kind, if it is then another. */
  batch<T>(work: () => T): T {
    this.#batches += 1
    try {
      return this.#changes.batch(work)
    } finally {
      this.#batches -= 1
      if (this.#batches === 0 && this.#entriesTouched) {
        this.#entriesTouched = false
        this.#subscriptions.rebind()
        this.#entryChanges.emit()
      }
    }
  }

  /** Reads again what the user changed of the entries: of all sources, or of one. */
  amendmentsChanged(id?: string): void {
    this.batch(() => {
      for (const part of this.#parts.values()) {
        if (id !== undefined && part.source.id !== id) continue
        for (const kind of LIST_KINDS) this.#read(part, kind)
      }
    })
  }

  /** Every entry of every source, those too that are off or cannot be served; the same list until one is another. */
  entries(): readonly ComposedEntry[] {
    return (this.#entries ??= [...this.#parts.values()].flatMap(({ source, prefix }) =>
      composedEntries(source, prefix, this.#byKind(), (id) => this.#parts.get(id)?.source.origin),
    ))
  }

  /** Called when `entries` gives something else, whether clients can see that or not. Returns an unsubscribe function. */
  onEntries(listener: () => void): () => void {
    return this.#entryChanges.listen(listener)
  }

  /** Throws a `CompositionError` (`collision`) with both sides of every name that two sources have. */
  requireNoCollision(): void {
    const colliding = this.entries().filter(({ fault }) => fault?.code === 'collision')
    if (colliding.length > 0) throw new CompositionError('collision', collisionsText(colliding))
  }

  tools(): readonly ToolEntry[] {
    return this.#tools.list()
  }
  tool(name: string): ToolEntry | undefined {
    return this.#tools.holder(name)?.published
  }
  resources(): readonly ResourceEntry[] {
    return this.#resources.list()
  }
  resourceTemplates(): readonly ResourceTemplateEntry[] {
    return this.#templates.list()
  }
  resourceFor(uri: string): ReturnType<RegistryView['resourceFor']> {
    return this.#targets.resourceFor(uri)
  }
  prompts(): readonly PromptEntry[] {
    return this.#prompts.list()
  }
  prompt(name: string): PromptEntry | undefined {
    return this.#prompts.holder(name)?.published
  }

  async complete(
    ref: CompletionRef,
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>>,
    invocation: Invocation,
  ): Promise<CompletionOutcome | undefined> {
    if (ref.type === 'ref/prompt') {
      const slot = this.#prompts.holder(ref.name)
      const part = slot === undefined ? undefined : this.#parts.get(slot.source)
      if (slot === undefined || part === undefined) return undefined
      return part.source.view.complete({ ...ref, name: slot.own.name }, argument, context, invocation)
    }
    const slot = this.#templates.holder(ref.uri)
    const part = slot === undefined ? undefined : this.#parts.get(slot.source)
    if (slot !== undefined && part !== undefined) {
      return part.source.view.complete({ ...ref, uri: slot.own.uriTemplate }, argument, context, invocation)
    }
    const target = this.#targets.targetOf(ref.uri)
    return target?.view.complete({ ...ref, uri: target.uri }, argument, context, invocation)
  }

  listStability(kind: ListKind): ListStability {
    if (this.#listStability !== 'fixed') return this.#listStability
    const listStabilities = [...this.#parts.values()].map(({ source }) => source.view.listStability(kind))
    return listStabilities.includes('may-appear')
      ? 'may-appear'
      : listStabilities.includes('changes')
        ? 'changes'
        : 'fixed'
  }

  onChange(listener: (change: RegistryChange) => void): () => void {
    return this.#changes.listen(listener)
  }

  /** Lets go of all sources; their views are their owners' to close. */
  close(): void {
    for (const id of [...this.#parts.keys()]) this.remove(id)
  }

  #set(source: Source): void {
    const before = this.#parts.get(source.id)
    const { view, trouble } = source
    const prefix = source.prefix === undefined ? undefined : new Prefix(source.prefix, source.separator)
    const stopView = view.onChange((change) => {
      if (change.type === 'updated') this.#updated(part, change.uri)
      else this.batch(() => this.#read(part, change.kind))
    })
    const stopTrouble = trouble?.onChange(() => {
      this.batch(() => this.#touchEntries())
    })
    const part: ComposedPart = {
      source,
      prefix,
      published: prefix === undefined ? undefined : new PrefixedEntries(prefix, view),
      stop: () => {
        stopView()
        stopTrouble?.()
      },
    }
    this.batch(() => {
      if (before !== undefined) this.#leave(before, view)
      this.#parts.set(source.id, part)
      if (before?.source.view !== view) this.#sessions.add(view)
      const order = [...this.#parts.keys()]
      for (const table of this.#tables()) if (before === undefined) table.setOrder(order)
      for (const kind of LIST_KINDS) this.#read(part, kind)
      this.#touchEntries()
    })
  }

  #leave({ stop, source: { view } }: ComposedPart, next?: RegistryView): void {
    stop()
    if (view !== next) this.#sessions.remove(view)
  }

  /** Reads the entries that a source has of a kind now. */
  #read(part: Part, kind: ListKind): void {
    const { source, prefix, published } = part
    const { view } = source
    const named = (own: { readonly name: string }) => prefix?.name(own.name) ?? own.name
    if (kind === 'tools') {
      const of = {
        entries: view.tools(),
        nameOf: named,
        published: (own: ToolEntry) => published?.tool(own) ?? own,
      }
      this.#tools.set(this.#placement(source, 'tool', of))
    } else if (kind === 'prompts') {
      const of = {
        entries: view.prompts(),
        nameOf: named,
        published: (own: PromptEntry) => published?.prompt(own) ?? own,
      }
      this.#prompts.set(this.#placement(source, 'prompt', of))
    } else {
      this.#resources.set(
        this.#placement<ResourceEntry>(source, 'resource', {
          entries: view.resources(),
          nameOf: ({ uri }) => (prefix === undefined ? uri : prefix.uri(uri)),
          published: (own) => published?.resource(own) ?? own,
        }),
      )
      this.#templates.set(
        this.#placement<ResourceTemplateEntry>(source, 'template', {
          entries: view.resourceTemplates(),
          nameOf: ({ uriTemplate }) => (prefix === undefined ? uriTemplate : prefix.uri(uriTemplate)),
          published: (own) => published?.template(own) ?? own,
        }),
      )
    }
    this.#touchEntries()
  }

  #placement<Entry extends ToolEntry | ResourceEntry | ResourceTemplateEntry | PromptEntry>(
    { id, origin, amend }: Source,
    kind: EntryKind,
    of: Pick<Placement<Entry>, 'entries' | 'nameOf' | 'published'>,
  ): Placement<Entry> {
    return {
      ...of,
      source: id,
      overrides: origin.kind === 'override',
      amendmentOf: (name) => amend?.(entryKey(kind, name)),
      amend: (entry, amendment) => amended(entry, amendment),
    }
  }

  /** Publishes an update of a resource, unless another source has that URI. */
  #updated({ source, prefix }: Part, own: string): void {
    const uri = prefix === undefined ? own : prefix.uri(own)
    if (uri === undefined) return
    const target = this.#targets.targetOf(uri)
    if (target === undefined || target.view === source.view) this.#changes.publish({ type: 'updated', uri })
  }

  #byKind() {
    return {
      tool: this.#tools,
      resource: this.#resources,
      template: this.#templates,
      prompt: this.#prompts,
    }
  }

  #tables() {
    return [this.#tools, this.#resources, this.#templates, this.#prompts]
  }

  #touchEntries(): void {
    this.#entries = undefined
    this.#entriesTouched = true
  }
}
