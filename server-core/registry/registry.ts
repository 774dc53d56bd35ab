import type { JsonSchema } from '../protocol/json.ts'
import { complete, toCompletionOutcome } from './completion.ts'
import type { Handle, ToolDefinition } from './definitions.ts'
import type { ListKind } from '../protocol/list-kind.ts'
import type {
  CompletionOutcome,
  CompletionRef,
  Lifecycle,
  ListStability,
  PromptEntry,
  RegistryChange,
  RegistryView,
  ResourceEntry,
  ResourceTemplateEntry,
  ToolEntry,
} from './entries.ts'
import { addsNothing, validateMiddleware, HandlerPipeline } from './handler-pipeline.ts'
import { withInternalErrors } from './handler-errors.ts'
import type { Middleware } from './middleware.ts'
import type { Invocation } from './invocation.ts'
import { LifespanRunner, type Lifespan } from './lifespan.ts'
import { validateDefinition } from './validate-definition.ts'
import { completerOf as promptCompleter, preparePrompt, promptEntry } from './prompt.ts'
import type { AnyPromptDefinition, PreparedPrompt } from './prompt.ts'
import type { PromptArgumentDefinition, PromptDefinition } from './prompt-definitions.ts'
import { register, type Kind } from './register.ts'
import { RegistryChanges } from './registry-changes.ts'
import { reportToStandardError, type Report } from './report.ts'
import type {
  Completer,
  ResourceDefinition,
  ResourceTemplateDefinition,
  TemplateHandle,
  VariableSchemas,
} from './resource-definitions.ts'
import {
  completerOf as templateCompleter,
  expandTemplate,
  prepareTemplate,
  templateEntry,
  type AnyTemplateDefinition,
  type PreparedTemplate,
} from './resource-template.ts'
import { prepareResource, resourceEntry } from './resource.ts'
import type { AnyResourceDefinition, PreparedResource } from './resource.ts'
import type { SchemaInput } from './schema.ts'
import { EntryTable } from './entry-table.ts'
import { prepareTool, toolEntry, type AnyToolDefinition, type PreparedTool } from './tool.ts'
import { findResource } from './view.ts'

/**
 * What applies to all entries. Guards and interceptors wrap every handler: of tools, reads,
 * prompts, completions and the lists of templates.
 */
export type RegistryOptions<L = unknown> = Middleware<L> & {
  /** What may become of each kind; `changes` for those that are not named. */
  readonly listStabilities?: Partial<Record<ListKind, ListStability>>
  /**
   * Makes what handlers share: `ctx.lifespan`. Started by the first call, or by `start`; cleaned up by `stop`.
   */
  readonly lifespan?: Lifespan<L>
  /**
   * Takes what handlers throw that is a fault of their code, where they run: no refusals, `ProtocolError`s, errors that
   * a mapper made, or ends of calls. Without it the stack goes to standard error.
   */
  readonly report?: Report
}

/** What completes the arguments of an entry, and who is asked on the way. */
type Completion = {
  readonly name: string
  readonly tags: readonly string[]
  readonly frame: HandlerPipeline
  readonly completer: Completer<never> | undefined
}

const NO_TAGS: readonly string[] = Object.freeze([])

/**
 * The tools, resources, resource templates and prompts of one server. What is registered is served at once on
 * every connection; every change that a peer can see is notified to the listeners exactly once. `L` is what its lifespan
 * passes to handlers.
 *
 * @example
 * ```ts
 * import { z } from 'zod'
 * import { Registry } from 'patchbay/server'
 *
 * const registry = new Registry()
 * const tool = registry.addTool({
 *   name: 'add',
 *   input: z.object({ a: z.number(), b: z.number() }),
 *   run: ({ a, b }) => String(a + b),
 * })
 * registry.addResource({ uri: 'notes://today', name: 'today', read: () => 'Buy milk' })
 * tool.update({ description: 'Adds two numbers.' }) // connected clients get list_changed
 * ```
 */
export class Registry<L = unknown> implements RegistryView, Lifecycle {
  readonly #listStabilities: Partial<Record<ListKind, ListStability>>
  readonly #lifespan: LifespanRunner | undefined
  readonly #frameOf: (own: Middleware<never>) => HandlerPipeline
  readonly #tools = this.#table<ToolEntry>('A tool named', 'tools')
  readonly #resources = this.#table<ResourceEntry>('A resource with the URI', 'resources')
  readonly #templates = this.#table<ResourceTemplateEntry>('A resource template', 'resources')
  readonly #prompts = this.#table<PromptEntry>('A prompt named', 'prompts')
  readonly #changes = new RegistryChanges({
    tools: () => [this.#tools.list()],
    resources: () => [this.#resources.list(), this.#templates.list()],
    prompts: () => [this.#prompts.list()],
  })
  readonly #completions = new WeakMap<object, (argument: string) => Completion>()
  #enabled = true

  readonly #toolKind: Kind<AnyToolDefinition, PreparedTool, ToolEntry> = {
    what: 'tool',
    table: this.#tools,
    keyOf: ({ name }) => name,
    prepare: (definition) => prepareTool(definition, this.#frameOf),
    entryOf: toolEntry,
  }
  readonly #resourceKind: Kind<AnyResourceDefinition, PreparedResource, ResourceEntry> = {
    what: 'resource',
    table: this.#resources,
    keyOf: ({ uri }) => uri,
    prepare: (definition) => prepareResource(definition, this.#frameOf),
    entryOf: resourceEntry,
  }
  readonly #templateKind: Kind<AnyTemplateDefinition, PreparedTemplate, ResourceTemplateEntry> = {
    what: 'resource template',
    table: this.#templates,
    keyOf: ({ uriTemplate }) => uriTemplate,
    prepare: (definition) => prepareTemplate(definition, this.#frameOf),
    entryOf: (prepared, current) => {
      const entry = templateEntry(prepared, current)
      this.#completions.set(entry, (variable) =>
        completionOf(current(), templateCompleter(current(), variable)),
      )
      return entry
    },
  }
  readonly #promptKind: Kind<AnyPromptDefinition, PreparedPrompt, PromptEntry> = {
    what: 'prompt',
    table: this.#prompts,
    keyOf: ({ name }) => name,
    prepare: (definition) => preparePrompt(definition, this.#frameOf),
    entryOf: (prepared, current) => {
      const entry = promptEntry(prepared, current)
      this.#completions.set(entry, (argument) =>
        completionOf(current(), promptCompleter(current(), argument)),
      )
      return entry
    },
  }

  /** Throws a `RegistryError` for a guard without a name and the like. */
  constructor(options: RegistryOptions<L> = {}) {
    const { listStabilities = {}, lifespan, report = reportToStandardError } = options
    validateDefinition('registry', 'registry', options)
    validateMiddleware('registry', options)
    const outer: Middleware<never> = options
    this.#listStabilities = listStabilities
    this.#lifespan = lifespan === undefined ? undefined : new LifespanRunner(lifespan)
    const frame = (own: Middleware<never>) => new HandlerPipeline(outer, own, this.#lifespan, report)
    const common = frame({})
    this.#frameOf = (own) => (addsNothing(own) ? common : frame(own))
  }

  /** Registers a tool. Throws a `RegistryError` if the name is taken or the definition cannot be served. */
  addTool<I extends SchemaInput = JsonSchema, O extends SchemaInput = JsonSchema>(
    definition: ToolDefinition<I, O, L>,
  ): Handle<ToolDefinition<I, O, L>> {
    return register(this.#toolKind, definition).handle
  }

  /** Registers a resource at one URI. Throws a `RegistryError` like `addTool`. */
  addResource(definition: ResourceDefinition<L>): Handle<ResourceDefinition<L>> {
    return register(this.#resourceKind, definition).handle
  }

  /** Registers the resources that a URI template names. Throws a `RegistryError` like `addTool`. */
  addResourceTemplate<T extends string, const V extends VariableSchemas | undefined = undefined>(
    definition: ResourceTemplateDefinition<T, V, L>,
  ): TemplateHandle<ResourceTemplateDefinition<T, V, L>> {
    const { handle, current } = register(this.#templateKind, definition)
    return { ...handle, expand: (values) => expandTemplate(current(), values) }
  }

  /** Registers a prompt. Throws a `RegistryError` like `addTool`. */
  addPrompt<const A extends readonly PromptArgumentDefinition[] = readonly []>(
    definition: PromptDefinition<A, L>,
  ): Handle<PromptDefinition<A, L>> {
    return register(this.#promptKind, definition).handle
  }

  /** Reports that the content at a URI changed. */
  resourceUpdated(uri: string): void {
    this.#changes.publish({ type: 'updated', uri })
  }

  /**
   * Makes many changes at once: each kind is notified at the end, once, if its list is then another one. Also if `work`
   * throws, which it does on.
   */
  batch<T>(work: () => T): T {
    return this.#changes.batch(work)
  }

  /**
   * Switches all of it off or on again. While it is off the lists are empty and nothing can be called; what is
   * registered meanwhile appears when it is switched on.
   */
  setEnabled(enabled: boolean): void {
    this.#enabled = enabled
    this.batch(() => {
      for (const table of this.#tables()) table.setOpen(enabled)
    })
  }

  get enabled(): boolean {
    return this.#enabled
  }

  async start(): Promise<void> {
    await this.#lifespan?.start()
  }

  async stop(): Promise<void> {
    await this.#lifespan?.stop()
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
   * `ProtocolError` if the completer fails or a guard refuses.
   */
  async complete(
    ref: CompletionRef,
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>>,
    invocation: Invocation,
  ): Promise<CompletionOutcome | undefined> {
    const entry = ref.type === 'ref/prompt' ? this.#prompts.get(ref.name) : this.#templates.get(ref.uri)
    const completion = entry === undefined ? undefined : this.#completions.get(entry)?.(argument.name)
    if (completion === undefined) return undefined
    const { name, tags, frame, completer } = completion
    const args = { ...context, [argument.name]: argument.value }
    return withInternalErrors(
      async () => {
        const value = await frame.run({ kind: 'completion', name, tags, arguments: args }, invocation, {
          handle: (_, ctx) => complete(completer, argument.value, context, ctx),
        })
        return toCompletionOutcome(value)
      },
      (error) => {
        frame.failed(error, 'completion', name, invocation)
      },
    )
  }

  /** What is hidden may appear, whatever else was said. */
  listStability(kind: ListKind): ListStability {
    const hidden = {
      tools: this.#tools.hides,
      resources: this.#resources.hides || this.#templates.hides,
      prompts: this.#prompts.hides,
    }
    return hidden[kind] ? 'may-appear' : (this.#listStabilities[kind] ?? 'changes')
  }

  onChange(listener: (change: RegistryChange) => void): () => void {
    return this.#changes.listen(listener)
  }

  #tables(): readonly { setOpen(open: boolean): void }[] {
    return [this.#tools, this.#resources, this.#templates, this.#prompts]
  }

  #table<Entry extends object>(what: string, kind: ListKind): EntryTable<Entry> {
    return new EntryTable<Entry>(what, () => {
      this.#changes.listChanged(kind)
    })
  }
}

function completionOf(
  { definition: { name, tags = NO_TAGS }, frame }: PreparedPrompt | PreparedTemplate,
  completer: Completer<never> | undefined,
): Completion {
  return { name, tags, frame, completer }
}
