import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type {
  ListedResource,
  PromptEntry,
  RegistryView,
  ResourceEntry,
  ResourceOutcome,
  ResourceTemplateEntry,
  ToolEntry,
  ToolOutcome,
} from '../registry/entries.ts'
import type { Invocation } from '../registry/invocation.ts'
import type { Prefix } from './prefix.ts'

/**
 * The entries of one source as they look under its prefix. What its handlers say of its resources (links, contents,
 * updates) gets the prefix too; URIs of others stay as they are.
 */
export class PrefixedEntries {
  readonly #prefix: Prefix
  readonly #view: RegistryView

  constructor(prefix: Prefix, view: RegistryView) {
    this.#prefix = prefix
    this.#view = view
  }

  tool(own: ToolEntry): ToolEntry {
    return {
      ...own,
      name: this.#prefix.name(own.name),
      invoke: (args, invocation) => {
        const outcome = own.invoke(args, this.#inward(invocation))
        return outcome instanceof Promise
          ? outcome.then((late) => this.#toolOutcome(late))
          : this.#toolOutcome(outcome)
      },
    }
  }

  prompt(own: PromptEntry): PromptEntry {
    return {
      ...own,
      name: this.#prefix.name(own.name),
      get: async (args, invocation) => {
        const outcome = await own.get(args, this.#inward(invocation))
        return { ...outcome, messages: this.#each(outcome.messages, (message) => this.#message(message)) }
      },
    }
  }

  /** Undefined for a URI without a scheme, which has no place for a prefix. */
  resource(own: ResourceEntry): ResourceEntry | undefined {
    const uri = this.#prefix.uri(own.uri)
    if (uri === undefined) return undefined
    const read: ResourceEntry['read'] = async (_uri, invocation) =>
      this.#contents(await own.read(own.uri, this.#inward(invocation)), own.uri)
    return { ...own, uri, read }
  }

  /** Undefined for a template that does not begin with a scheme. */
  template(own: ResourceTemplateEntry): ResourceTemplateEntry | undefined {
    const uriTemplate = this.#prefix.uri(own.uriTemplate)
    if (uriTemplate === undefined) return undefined
    const list = own.list?.bind(own)
    return {
      ...own,
      uriTemplate,
      match: (uri) => {
        const inner = this.#prefix.ownUri(uri)
        return inner === undefined ? undefined : own.match(inner)
      },
      ...(list !== undefined && {
        list: async (invocation: Invocation) =>
          (await list(this.#inward(invocation))).flatMap((listed) => this.#listed(listed)),
      }),
      read: async (uri, variables, invocation) => {
        const inner = this.#prefix.ownUri(uri) ?? uri
        return this.#contents(await own.read(inner, variables, this.#inward(invocation)), inner)
      },
    }
  }

  /** What reads a URI that no list names, with its contents under the prefix. */
  async read(
    own: string,
    invocation: Invocation,
    read: (invocation: Invocation) => Promise<ResourceOutcome>,
  ): Promise<ResourceOutcome> {
    return this.#contents(await read(this.#inward(invocation)), own)
  }

  #inward(invocation: Invocation): Invocation {
    return new PrefixedInvocation(invocation, this.#prefix)
  }

  #listed(listed: ListedResource): readonly ListedResource[] {
    const uri = this.#prefix.uri(listed.uri)
    return uri === undefined ? [] : [{ ...listed, uri }]
  }

  #toolOutcome(outcome: ToolOutcome): ToolOutcome {
    const content = this.#each(outcome.content, (block) => this.#block(block))
    return content === outcome.content ? outcome : { ...outcome, content }
  }

  #message(message: JsonObject): JsonObject {
    const { content } = message
    if (!isJsonObject(content)) return message
    const block = this.#block(content)
    return block === content ? message : { ...message, content: block }
  }

  #block(block: JsonObject): JsonObject {
    const { type, uri, resource } = block
    if (type === 'resource_link' && typeof uri === 'string') {
      const published = this.#owned(uri)
      return published === undefined ? block : { ...block, uri: published }
    }
    if (type !== 'resource' || !isJsonObject(resource) || typeof resource['uri'] !== 'string') return block
    const published = this.#owned(resource['uri'])
    return published === undefined ? block : { ...block, resource: { ...resource, uri: published } }
  }

  #contents(outcome: ResourceOutcome, asked: string): ResourceOutcome {
    const contents = this.#each(outcome.contents, (content) => {
      const { uri } = content
      if (typeof uri !== 'string') return content
      const published = uri === asked ? this.#prefix.uri(uri) : this.#owned(uri)
      return published === undefined ? content : { ...content, uri: published }
    })
    return contents === outcome.contents ? outcome : { ...outcome, contents }
  }

  /** The URI under the prefix if the source lists it or has a template for it. */
  #owned(uri: string): string | undefined {
    const isOwn =
      this.#view.resources().some((resource) => resource.uri === uri) ||
      this.#view.resourceTemplates().some((template) => template.match(uri) !== undefined)
    return isOwn ? this.#prefix.uri(uri) : undefined
  }

  /** The same array where nothing became another. */
  #each(items: readonly JsonObject[], change: (item: JsonObject) => JsonObject): readonly JsonObject[] {
    const changed = items.map(change)
    return changed.every((item, at) => item === items[at]) ? items : changed
  }
}

/** An invocation for a handler that knows its resources without the prefix. */
class PrefixedInvocation implements Invocation {
  readonly #invocation: Invocation
  readonly #prefix: Prefix

  constructor(invocation: Invocation, prefix: Prefix) {
    this.#invocation = invocation
    this.#prefix = prefix
  }

  get facts(): Invocation['facts'] {
    return this.#invocation.facts
  }
  get signal(): AbortSignal {
    return this.#invocation.signal
  }
  get store(): Invocation['store'] {
    return this.#invocation.store
  }

  emit(emission: Parameters<Invocation['emit']>[0]): void {
    this.#invocation.emit(emission)
  }

  ask(...given: Parameters<Invocation['ask']>): ReturnType<Invocation['ask']> {
    return this.#invocation.ask(...given)
  }

  changed(change: Parameters<Invocation['changed']>[0]): void {
    if ('kind' in change) this.#invocation.changed(change)
    else this.#invocation.changed({ uri: this.#prefix.uri(change.uri) ?? change.uri })
  }
}
