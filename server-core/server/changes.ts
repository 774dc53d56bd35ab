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
  readonly #pending = new Map<string, RegistryChange>()
  #timer: NodeJS.Timeout | undefined

  announce(change: RegistryChange): void {
    if (this.#listeners.size === 0) return
    this.#pending.set(change.type === 'list' ? change.kind : `uri ${change.uri}`, change)
    this.#timer ??= setTimeout(() => {
      this.#tell()
    }, GATHER_MS)
  }

  /** Gives the function that ends it. */
  listen(listener: (announcement: Announcement) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#listeners.clear()
  }

  #tell(): void {
    this.#timer = undefined
    const changes = [...this.#pending.values()]
    this.#pending.clear()
    for (const change of changes) {
      const announcement = toAnnouncement(change)
      for (const listener of this.#listeners) listener(announcement)
    }
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
