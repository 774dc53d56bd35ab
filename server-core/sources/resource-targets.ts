import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import type { RegistryView, ResourceEntry, ResourceTemplateEntry } from '../registry/entries.ts'
import { ResourceNotFoundError } from '../registry/errors.ts'
import { findResource } from '../registry/view.ts'
import type { ComposedEntries } from './composed-entry-set.ts'
import type { Prefix } from './prefix.ts'
import type { PrefixedEntries } from './prefixed-entries.ts'
import type { Source } from './source.ts'

/** A source with its prefix. */
export type Part = {
  readonly source: Source
  readonly prefix: Prefix | undefined
  readonly published: PrefixedEntries | undefined
}

/** The view that has a resource, and the URI it knows the resource by. */
export type Target = { readonly view: RegistryView; readonly uri: string }

type FoundResource = NonNullable<ReturnType<RegistryView['resourceFor']>>

/** Finds the source that a URI of a composed registry leads to. */
export class ResourceTargets {
  readonly #parts: ReadonlyMap<string, Part>
  readonly #resources: ComposedEntries<ResourceEntry>
  readonly #templates: ComposedEntries<ResourceTemplateEntry>

  constructor(
    parts: ReadonlyMap<string, Part>,
    resources: ComposedEntries<ResourceEntry>,
    templates: ComposedEntries<ResourceTemplateEntry>,
  ) {
    this.#parts = parts
    this.#resources = resources
    this.#templates = templates
  }

  /** Returns what reads a URI: a listed resource, a template, else the first server that knows the URI. */
  resourceFor(uri: string): FoundResource | undefined {
    const listed = findResource(uri, this.#resources.holder(uri)?.published, this.#templates.list())
    return listed ?? this.#unlisted(uri)
  }

  /** Returns where a URI leads: to its owner, or to the first server that may know it. */
  targetOf(uri: string): Target | undefined {
    return this.targetsOf(uri)[0]
  }

  /** Returns the owner of a URI alone; of a URI that no list names, every server that may know it, in order. */
  targetsOf(uri: string): readonly Target[] {
    const listed = this.#resources.holder(uri)
    const template =
      listed === undefined
        ? this.#templates.list().find((each) => each.match(uri) !== undefined)?.uriTemplate
        : undefined
    const slot = listed ?? (template === undefined ? undefined : this.#templates.holder(template))
    const part = slot === undefined ? undefined : this.#parts.get(slot.source)
    if (part === undefined) return this.#serversFor(uri)
    const own = part.prefix === undefined ? uri : part.prefix.ownUri(uri)
    return own === undefined ? [] : [{ view: part.source.view, uri: own }]
  }

  /** Other servers may serve resources that they do not list. */
  #serversFor(uri: string): readonly (Target & { readonly published: PrefixedEntries | undefined })[] {
    if (this.#isDisabled(uri)) return []
    return [...this.#parts.values()].flatMap(({ source: { view }, prefix, published }) => {
      const own = prefix === undefined ? uri : prefix.ownUri(uri)
      return view.upstream === undefined || own === undefined ? [] : [{ view, uri: own, published }]
    })
  }

  #unlisted(uri: string): FoundResource | undefined {
    const found = this.#serversFor(uri).flatMap(({ view, uri: own, published }): FoundResource[] => {
      const resource = view.resourceFor(own)
      if (resource === undefined) return []
      if (published === undefined) return [resource]
      return [
        {
          ...resource,
          read: (invocation) => published.read(own, invocation, (inner) => resource.read(inner)),
        },
      ]
    })
    return found.length < 2 ? found[0] : firstThatKnows(found)
  }

  /** A disabled resource must not be readable as an unlisted one. */
  #isDisabled(uri: string): boolean {
    return [...this.#parts.keys()].some(
      (id) =>
        this.#resources.slots(id).some(({ name, enabled }) => !enabled && name === uri) ||
        this.#templates
          .slots(id)
          .some(({ published, enabled }) => !enabled && published?.match(uri) !== undefined),
    )
  }
}

/** Asks one server after another until one knows the resource. */
function firstThatKnows(candidates: readonly FoundResource[]): FoundResource {
  return {
    reentrant: false,
    read: async (invocation) => {
      let lastError: unknown
      for (const { read } of candidates) {
        try {
          return await read(invocation)
        } catch (error) {
          if (!isNotFound(error)) throw error
          lastError = error
        }
      }
      throw lastError
    },
  }
}

const NOT_FOUND: ReadonlySet<number> = new Set([ErrorCode.resourceNotFound, ErrorCode.invalidParams])

function isNotFound(error: unknown): boolean {
  return (
    error instanceof ResourceNotFoundError || (error instanceof ProtocolError && NOT_FOUND.has(error.code))
  )
}
