import { LIST_KINDS } from '../protocol/list-kind.ts'
import type { ListKind } from '../protocol/list-kind.ts'
import type { RegistryChange, RegistryView } from '../registry/entries.ts'
import { listsDiffer, type EntryLists } from '../registry/list-differences.ts'
import { encodeNotification } from './encode.ts'
import { InTurns } from './in-turns.ts'

/** A change on its way to everybody who listens. */
export type Announcement = {
  readonly change: RegistryChange
  readonly method: string
  /** The legacy notification, serialised once for all sessions. */
  readonly legacyBytes: Buffer
}

/** Milliseconds in which equal changes are sent once: a folder of scripts loads in one go. */
const GATHER_MS = 10

type Listing = Pick<RegistryView, 'tools' | 'resources' | 'resourceTemplates' | 'prompts'>

/** Gathers changes of what the server lists and tells each kind, and each resource, once. */
export class ChangeHub {
  readonly #registry: Listing
  readonly #listeners = new Set<(announcement: Announcement) => void>()
  readonly #turns = new InTurns()
  /** The list when its last change was sent, or when the first listener was added. */
  readonly #told = new Map<ListKind, EntryLists>()
  /** Kinds whose change is sent in any case. */
  readonly #certain = new Set<ListKind>()
  readonly #lists = new Gathering((change) => {
    if (change.type !== 'list' || this.#isSeen(change.kind)) this.#announce(change)
  })
  readonly #resources = new Gathering((change) => {
    this.#announce(change)
  })

  constructor(registry: Listing) {
    this.#registry = registry
  }

  /** Sends a change of the registry, unless its list is the same again by then. */
  registryChanged(change: RegistryChange): void {
    if (this.#listeners.size === 0) return
    if (change.type === 'list') this.#lists.add(change.kind, change, GATHER_MS)
    else this.announce(change)
  }

  /** Sends a change, whatever the registry lists: what a template lists, for one, is known only to its handler. */
  announce(change: RegistryChange): void {
    if (this.#listeners.size === 0) return
    // A list seldom changes once; the first update of a resource is sent immediately.
    if (change.type === 'list') {
      this.#certain.add(change.kind)
      this.#lists.add(change.kind, change, GATHER_MS)
    } else this.#resources.add(change.uri, change, this.#resources.isQuiet ? 0 : GATHER_MS)
  }

  /** Somebody was given the list as it is: where a change of it waits, that may be undone without them knowing. */
  given(kind: ListKind): void {
    if (this.#lists.waits(kind)) this.#certain.add(kind)
  }

  /** Returns an unsubscribe function. */
  listen(listener: (announcement: Announcement) => void): () => void {
    if (this.#listeners.size === 0) for (const kind of LIST_KINDS) this.#told.set(kind, this.#listed(kind))
    else for (const kind of LIST_KINDS) this.given(kind)
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  close(): void {
    this.#lists.stop()
    this.#resources.stop()
    this.#turns.finish()
    this.#listeners.clear()
  }

  #isSeen(kind: ListKind): boolean {
    const before = this.#told.get(kind) ?? []
    const now = this.#listed(kind)
    this.#told.set(kind, now)
    if (this.#certain.delete(kind)) return true
    // A registry that changed and gives the very same lists means what its lists do not show.
    return before.every((list, index) => list === now[index]) || listsDiffer(before, now)
  }

  #listed(kind: ListKind): EntryLists {
    switch (kind) {
      case 'tools':
        return [this.#registry.tools()]
      case 'resources':
        return [this.#registry.resources(), this.#registry.resourceTemplates()]
      case 'prompts':
        return [this.#registry.prompts()]
    }
  }

  #announce(change: RegistryChange): void {
    const announcement = toAnnouncement(change)
    this.#turns.each([...this.#listeners], (listener) => {
      if (this.#listeners.has(listener)) listener(announcement)
    })
  }
}

/** Pending changes, each once, that are sent together. */
class Gathering {
  readonly #announce: (change: RegistryChange) => void
  readonly #pending = new Map<string, RegistryChange>()
  #timer: NodeJS.Timeout | undefined
  #notifiedAt = -Infinity

  constructor(announce: (change: RegistryChange) => void) {
    this.#announce = announce
  }

  /** Nothing was sent for a while. */
  get isQuiet(): boolean {
    return performance.now() - this.#notifiedAt > GATHER_MS
  }

  waits(key: string): boolean {
    return this.#pending.has(key)
  }

  /** Sends it after `waitMs`, or with those already pending. */
  add(key: string, change: RegistryChange, waitMs: number): void {
    this.#pending.set(key, change)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#notifiedAt = performance.now()
      const changes = [...this.#pending.values()]
      this.#pending.clear()
      for (const each of changes) this.#announce(each)
    }, waitMs)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}

function toAnnouncement(change: RegistryChange): Announcement {
  if (change.type === 'list') {
    const method = `notifications/${change.kind}/list_changed`
    return { change, method, legacyBytes: encodeNotification(method) }
  }
  const method = 'notifications/resources/updated'
  return { change, method, legacyBytes: encodeNotification(method, { uri: change.uri }) }
}
