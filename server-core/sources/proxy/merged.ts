import type { Upstream, UpstreamSession, SessionEnd } from '../../registry/upstream.ts'
import type {
  CompletionOutcome,
  CompletionRef,
  ListKind,
  ListStability,
  PromptEntry,
  RegistryChange,
  RegistryView,
  ResourceEntry,
  ResourceOutcome,
  ResourceTemplateEntry,
  ToolEntry,
} from '../../registry/entries.ts'
import { ResourceNotFoundError } from '../../registry/errors.ts'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import type { Invocation } from '../../registry/invocation.ts'

/** One of several registries that are served as one, under a name. */
export type Member = { readonly alias: string; readonly view: RegistryView }

/** An entry that is not shown, because a member before its own has one of that name. */
export type Hidden = { readonly alias: string; readonly name: string; readonly owner: string }

/** Lists of all members, each with whose entry is whose. */
class Gathered<Entry> {
  readonly entries: readonly Entry[]
  readonly #byKey = new Map<string, { readonly entry: Entry; readonly member: Member }>()

  constructor(
    members: readonly Member[],
    listOf: (view: RegistryView) => readonly Entry[],
    keyOf: (entry: Entry) => string,
    onHidden: (hidden: Hidden) => void,
  ) {
    for (const member of members) {
      for (const entry of listOf(member.view)) {
        const key = keyOf(entry)
        const first = this.#byKey.get(key)
        if (first === undefined) this.#byKey.set(key, { entry, member })
        else onHidden({ alias: member.alias, name: key, owner: first.member.alias })
      }
    }
    this.entries = [...this.#byKey.values()].map(({ entry }) => entry)
  }

  entry(key: string): Entry | undefined {
    return this.#byKey.get(key)?.entry
  }

  owner(key: string): Member | undefined {
    return this.#byKey.get(key)?.member
  }
}

const NOT_FOUND: ReadonlySet<number> = new Set([ErrorCode.resourceNotFound, ErrorCode.invalidParams])

/**
 * Several registries as one. Tools and prompts have names of their own by then; resources keep their URIs. Where two
 * members list the same, the first in order has it. A URI that nobody lists goes to the first member with a template that
 * matches, and else to each in order until one knows it.
 */
export class MergedRegistry implements RegistryView {
  readonly upstream: Upstream
  readonly #members: readonly Member[]
  readonly #onHidden: (hidden: Hidden) => void
  readonly #told = new Set<string>()
  #tools: Gathered<ToolEntry> | undefined
  #resources: Gathered<ResourceEntry> | undefined
  #templates: Gathered<ResourceTemplateEntry> | undefined
  #prompts: Gathered<PromptEntry> | undefined

  /** @param onHidden told once of each entry that is not shown */
  constructor(members: readonly Member[], onHidden: (hidden: Hidden) => void) {
    this.#members = members
    this.#onHidden = (hidden) => {
      const text = JSON.stringify(hidden)
      if (this.#told.has(text)) return
      this.#told.add(text)
      onHidden(hidden)
    }
    for (const { view } of members) {
      view.onChange((change) => {
        if (change.type === 'list') this.#forget(change.kind)
      })
    }
    this.upstream = {
      offers: (feature) => members.some(({ view }) => view.upstream?.offers(feature) ?? true),
      subscribe: (uri) => this.#subscribe(uri),
      session: (end) => this.#session(end),
    }
  }

  tools(): readonly ToolEntry[] {
    return this.#allTools().entries
  }
  tool(name: string): ToolEntry | undefined {
    return this.#allTools().entry(name)
  }
  resources(): readonly ResourceEntry[] {
    return this.#allResources().entries
  }
  resourceTemplates(): readonly ResourceTemplateEntry[] {
    return this.#allTemplates().entries
  }
  prompts(): readonly PromptEntry[] {
    return this.#allPrompts().entries
  }
  prompt(name: string): PromptEntry | undefined {
    return this.#allPrompts().entry(name)
  }

  resourceFor(uri: string): ReturnType<RegistryView['resourceFor']> {
    const owner = this.#ownerOf(uri)
    if (owner !== undefined) return owner.view.resourceFor(uri)
    const candidates = this.#members.flatMap(({ view }) => view.resourceFor(uri) ?? [])
    if (candidates.length < 2) return candidates[0]
    return {
      reentrant: false,
      read: async (invocation) => {
        let last: unknown
        for (const { read } of candidates) {
          try {
            return await readOf(read, invocation)
          } catch (error) {
            if (!isNotFound(error)) throw error
            last = error
          }
        }
        throw last
      },
    }
  }

  complete(
    ref: CompletionRef,
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>>,
    invocation: Invocation,
  ): Promise<CompletionOutcome | undefined> {
    const owner =
      ref.type === 'ref/prompt'
        ? this.#allPrompts().owner(ref.name)
        : (this.#allTemplates().owner(ref.uri) ?? this.#ownerOf(ref.uri))
    return owner?.view.complete(ref, argument, context, invocation) ?? Promise.resolve(undefined)
  }

  /** Members come and go. */
  outlook(kind: ListKind): ListStability {
    return this.#members.some(({ view }) => view.outlook(kind) === 'may-appear') ? 'may-appear' : 'changes'
  }

  onChange(listener: (change: RegistryChange) => void): () => void {
    const stops = this.#members.map((member) =>
      member.view.onChange((change) => {
        // Of a resource that another member has, only that member's word counts.
        if (change.type === 'updated' && (this.#ownerOf(change.uri) ?? member) !== member) return
        listener(change)
      }),
    )
    return () => {
      for (const stop of stops) stop()
    }
  }

  #ownerOf(uri: string): Member | undefined {
    const listed = this.#allResources().owner(uri)
    if (listed !== undefined) return listed
    return this.#members.find(({ view }) =>
      view.resourceTemplates().some((template) => template.match(uri) !== undefined),
    )
  }

  async #subscribe(uri: string): Promise<() => void> {
    const owner = this.#ownerOf(uri)
    const members = owner === undefined ? this.#members : [owner]
    let last: unknown = new ResourceNotFoundError(uri)
    for (const { view } of members) {
      const { upstream: upstream } = view
      if (upstream === undefined) continue
      try {
        return await upstream.subscribe(uri)
      } catch (error) {
        last = error
      }
    }
    throw last
  }

  #session(end: SessionEnd): UpstreamSession {
    const parts = this.#members.flatMap(({ view }) => view.upstream?.session(end) ?? [])
    return {
      onMessage: (method, params) => {
        for (const part of parts) part.onMessage(method, params)
      },
      ended: () => {
        for (const part of parts) part.ended()
      },
    }
  }

  #allTools(): Gathered<ToolEntry> {
    return (this.#tools ??= this.#gather(
      (view) => view.tools(),
      ({ name }) => name,
    ))
  }
  #allPrompts(): Gathered<PromptEntry> {
    return (this.#prompts ??= this.#gather(
      (view) => view.prompts(),
      ({ name }) => name,
    ))
  }
  #allResources(): Gathered<ResourceEntry> {
    return (this.#resources ??= this.#gather(
      (view) => view.resources(),
      ({ uri }) => uri,
    ))
  }
  #allTemplates(): Gathered<ResourceTemplateEntry> {
    return (this.#templates ??= this.#gather(
      (view) => view.resourceTemplates(),
      ({ uriTemplate }) => uriTemplate,
    ))
  }

  #gather<Entry>(
    listOf: (view: RegistryView) => readonly Entry[],
    keyOf: (entry: Entry) => string,
  ): Gathered<Entry> {
    return new Gathered(this.#members, listOf, keyOf, this.#onHidden)
  }

  #forget(kind: ListKind): void {
    if (kind === 'tools') this.#tools = undefined
    else if (kind === 'prompts') this.#prompts = undefined
    else {
      this.#resources = undefined
      this.#templates = undefined
    }
  }
}

function readOf(
  read: (invocation: Invocation) => Promise<ResourceOutcome>,
  invocation: Invocation,
): Promise<ResourceOutcome> {
  return read(invocation)
}

function isNotFound(error: unknown): boolean {
  return (
    error instanceof ResourceNotFoundError || (error instanceof ProtocolError && NOT_FOUND.has(error.code))
  )
}
