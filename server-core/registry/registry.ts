import type { JsonSchema } from '../protocol/json.ts'
import { complete } from './completion.ts'
import { createContext } from './context.ts'
import type {
  Completer,
  Handle,
  PromptArgumentDefinition,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolDefinition,
} from './definitions.ts'
import type {
  CompletionOutcome,
  CompletionRef,
  ListKind,
  Outlook,
  PromptEntry,
  RegistryChange,
  RegistryView,
  ResourceEntry,
  ResourceTemplateEntry,
  ToolEntry,
} from './entries.ts'
import { withInternalErrors } from './handler-errors.ts'
import type { Invocation } from './invocation.ts'
import { checkPrompt, promptEntry, type AnyPromptDefinition } from './prompt.ts'
import { register, type Kind } from './register.ts'
import {
  prepareTemplate,
  templateEntry,
  type AnyTemplateDefinition,
  type PreparedTemplate,
} from './resource-template.ts'
import { checkResource, resourceEntry } from './resource.ts'
import type { SchemaInput } from './schema.ts'
import { Shelf } from './shelf.ts'
import { prepareTool, toolEntry, type AnyToolDefinition, type PreparedTool } from './tool.ts'
import { findResource } from './view.ts'

/**
 * The tools, resources, resource templates and prompts of one server. What is registered is served at once on
 * every connection; every change that a peer can see is told to the listeners exactly once.
 */
export class Registry implements RegistryView {
  readonly #outlooks: Partial<Record<ListKind, Outlook>>
  readonly #listeners = new Set<(change: RegistryChange) => void>()
  readonly #tools = this.#shelf<ToolEntry>('A tool named', 'tools')
  readonly #resources = this.#shelf<ResourceEntry>('A resource with the URI', 'resources')
  readonly #templates = this.#shelf<ResourceTemplateEntry>('A resource template', 'resources')
  readonly #prompts = this.#shelf<PromptEntry>('A prompt named', 'prompts')
  /** What completes the arguments of an entry, by the name of the argument. */
  readonly #completers = new WeakMap<object, (argument: string) => Completer | undefined>()

  readonly #toolKind: Kind<AnyToolDefinition, PreparedTool, ToolEntry> = {
    what: 'tool',
    shelf: this.#tools,
    keyOf: ({ name }) => name,
    prepare: prepareTool,
    entryOf: toolEntry,
  }
  readonly #resourceKind: Kind<ResourceDefinition, ResourceDefinition, ResourceEntry> = {
    what: 'resource',
    shelf: this.#resources,
    keyOf: ({ uri }) => uri,
    prepare: checkResource,
    entryOf: resourceEntry,
  }
  readonly #templateKind: Kind<AnyTemplateDefinition, PreparedTemplate, ResourceTemplateEntry> = {
    what: 'resource template',
    shelf: this.#templates,
    keyOf: ({ uriTemplate }) => uriTemplate,
    prepare: prepareTemplate,
    entryOf: (prepared, current) => {
      const entry = templateEntry(prepared, current)
      this.#completers.set(entry, (variable) => own(current().definition.complete, variable))
      return entry
    },
  }
  readonly #promptKind: Kind<AnyPromptDefinition, AnyPromptDefinition, PromptEntry> = {
    what: 'prompt',
    shelf: this.#prompts,
    keyOf: ({ name }) => name,
    prepare: checkPrompt,
    entryOf: (prompt, current) => {
      const entry = promptEntry(prompt, current)
      this.#completers.set(entry, (argument) => own(current().complete, argument))
      return entry
    },
  }

  /** `outlooks` says what may become of each kind; `changes` for those that it does not name. */
  constructor(outlooks: Partial<Record<ListKind, Outlook>> = {}) {
    this.#outlooks = outlooks
  }

  /** Registers a tool. Throws a `RegistryError` if the name is taken or the definition cannot be served. */
  addTool<I extends SchemaInput = JsonSchema, O extends SchemaInput = JsonSchema>(
    definition: ToolDefinition<I, O>,
  ): Handle<ToolDefinition<I, O>> {
    return register(this.#toolKind, definition)
  }

  /** Registers a resource at one URI. Throws a `RegistryError` like `addTool`. */
  addResource(definition: ResourceDefinition): Handle<ResourceDefinition> {
    return register(this.#resourceKind, definition)
  }

  /** Registers the resources that a URI template names. Throws a `RegistryError` like `addTool`. */
  addResourceTemplate<T extends string>(
    definition: ResourceTemplateDefinition<T>,
  ): Handle<ResourceTemplateDefinition<T>> {
    return register(this.#templateKind, definition)
  }

  /** Registers a prompt. Throws a `RegistryError` like `addTool`. */
  addPrompt<const A extends readonly PromptArgumentDefinition[] = readonly []>(
    definition: PromptDefinition<A>,
  ): Handle<PromptDefinition<A>> {
    return register(this.#promptKind, definition)
  }

  /** Tells that the content at a URI changed. */
  resourceUpdated(uri: string): void {
    this.#emit({ type: 'updated', uri })
  }

  tools(): readonly ToolEntry[] {
    return this.#tools.list()
  }
  tool(name: string): ToolEntry | undefined {
    return this.#tools.get(name)
  }
  resources(): readonly ResourceEntry[] {
    return this.#resources.list()
  }
  resourceTemplates(): readonly ResourceTemplateEntry[] {
    return this.#templates.list()
  }
  resourceFor(uri: string): ReturnType<RegistryView['resourceFor']> {
    return findResource(uri, this.#resources.get(uri), this.#templates.list())
  }
  prompts(): readonly PromptEntry[] {
    return this.#prompts.list()
  }
  prompt(name: string): PromptEntry | undefined {
    return this.#prompts.get(name)
  }

  /**
   * Completes an argument of a prompt or a variable of a URI template (specification: Completion). Rejects with a
   * `ProtocolError` if the completer fails.
   */
  async complete(
    ref: CompletionRef,
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>>,
    invocation: Invocation,
  ): Promise<CompletionOutcome | undefined> {
    const entry = ref.type === 'ref/prompt' ? this.#prompts.get(ref.name) : this.#templates.get(ref.uri)
    if (entry === undefined) return undefined
    const completer = this.#completers.get(entry)?.(argument.name)
    return withInternalErrors(() => complete(completer, argument.value, context, createContext(invocation)))
  }

  outlook(kind: ListKind): Outlook {
    return this.#outlooks[kind] ?? 'changes'
  }

  onChange(listener: (change: RegistryChange) => void): () => void {
    const own = (change: RegistryChange) => listener(change)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  #shelf<Entry extends object>(what: string, kind: ListKind): Shelf<Entry> {
    return new Shelf<Entry>(what, () => {
      this.#emit({ type: 'list', kind })
    })
  }

  #emit(change: RegistryChange): void {
    for (const listener of [...this.#listeners]) listener(change)
  }
}

function own<T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined
}
