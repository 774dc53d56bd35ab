import type { RegistryChange } from '../registry/entries.ts'
import { encodeNotification } from './encode.ts'

/** A change on its way to everybody who listens. */
export type Announcement = {
  readonly change: RegistryChange
  readonly method: string
  /** The legacy notification, serialised once for all sessions. */
  readonly legacyBytes: Buffer
}

/** Milliseconds in which equal changes are told once: a folder of scripts loads in one go. */
const GATHER_MS = 10

/** Gathers changes of what the server lists and tells each kind, and each resource, once. */
export class ChangeHub {
  readonly #listeners = new Set<(announcement: Announcement) => void>()
  readonly #lists = new Gathering((change) => {
    this.#tell(change)
  })
  readonly #resources = new Gathering((change) => {
    this.#tell(change)
  })

  announce(change: RegistryChange): void {
    if (this.#listeners.size === 0) return
    // A list seldom changes once; a resource that was quiet is told at once.
    if (change.type === 'list') this.#lists.add(change.kind, change, GATHER_MS)
    else this.#resources.add(change.uri, change, this.#resources.isQuiet ? 0 : GATHER_MS)
  }

  /** Gives the function that ends it. */
  listen(listener: (announcement: Announcement) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  close(): void {
    this.#lists.stop()
    this.#resources.stop()
    this.#listeners.clear()
  }

  #tell(change: RegistryChange): void {
    const announcement = toAnnouncement(change)
    for (const listener of this.#listeners) listener(announcement)
  }
}

/** Changes that wait to be told together, each once. */
class Gathering {
  readonly #tell: (change: RegistryChange) => void
  readonly #pending = new Map<string, RegistryChange>()
  #timer: NodeJS.Timeout | undefined
  #toldAt = -Infinity

  constructor(tell: (change: RegistryChange) => void) {
    this.#tell = tell
  }

  /** Nothing was told for a while. */
  get isQuiet(): boolean {
    return performance.now() - this.#toldAt > GATHER_MS
  }

  /** Tells it after `waitMs`, or with those that wait already. */
  add(key: string, change: RegistryChange, waitMs: number): void {
    this.#pending.set(key, change)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#toldAt = performance.now()
      const changes = [...this.#pending.values()]
      this.#pending.clear()
      for (const each of changes) this.#tell(each)
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
