import type { RegistryView } from '../registry/entries.ts'
import type { Amendment } from './amendment.ts'

/** Where entries come from. */
export type Origin = {
  readonly kind:
    | 'script'
    | 'config'
    | 'mount'
    | 'proxy'
    | 'openapi'
    | 'file'
    | 'directory'
    | 'url'
    | 'mock'
    | 'override'
    | 'built-in'
  /** What people call it: the name of a file, a server or a folder. */
  readonly label: string
  /** The file that says so, relative to the workspace. */
  readonly file?: string
}

export type EntryKind = 'tool' | 'resource' | 'template' | 'prompt'

export type EntryFault = { readonly code: string; readonly message: string }

/** An entry that its source would have, but cannot serve. */
export type FaultyEntry = {
  readonly kind: EntryKind
  /** The name of a tool or prompt, the URI of a resource, the template of a template; without the prefix. */
  readonly name: string
  readonly fault: EntryFault
}

/** What a source says of itself that its entries do not show. */
export type Trouble = {
  /** Why all its entries fail just now; undefined while they do not. */
  failure?(): EntryFault | undefined
  faults?(): readonly FaultyEntry[]
  /** Called when any of that is another. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void
}

/** One part of a composed registry. */
export type Source = {
  readonly id: string
  readonly origin: Origin
  readonly view: RegistryView
  readonly prefix?: string | undefined
  /** Between the prefix and the names of tools and prompts; `.` if not given. */
  readonly separator?: '.' | '_' | undefined
  /** What the user changed of an entry, by its key (`entryKey`). */
  readonly amend?: ((key: string) => Amendment | undefined) | undefined
  readonly trouble?: Trouble | undefined
}

/** An entry of a composed registry, served or not. */
export type ComposedEntry = {
  /** What amendments go by. */
  readonly key: string
  readonly kind: EntryKind
  /** As its source calls it, with the prefix: of tools and prompts the name, else the URI or the template. */
  readonly name: string
  /** The same as clients see it. */
  readonly shownName: string
  /** What people read: of resources their name where they have no title. */
  readonly title?: string
  readonly description?: string
  readonly annotations?: Readonly<Record<string, unknown>>
  readonly tags?: readonly string[]
  readonly source: string
  readonly origin: Origin
  /**
   * `off`: disabled by the user. `overridden`: an override replaces it. `failing`: it cannot be served, or
   * its calls fail, as `fault` says.
   */
  readonly state: 'served' | 'off' | 'overridden' | 'failing'
  readonly fault?: EntryFault
}

/** What amendments of an entry go by: its kind and its original name, URI or template, prefix included. */
export function entryKey(kind: EntryKind, name: string): string {
  return `${kind}:${name}`
}

/** A source in words. */
export function originText({ kind, label, file }: Origin): string {
  const what = kind === 'openapi' ? 'OpenAPI document' : kind
  return `${what} "${label}"${file === undefined || file === label ? '' : ` (${file})`}`
}
