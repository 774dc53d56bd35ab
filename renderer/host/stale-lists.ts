import type { ListKind } from '../../server-core/protocol/list-kind.ts'

export type Kinds = ReadonlySet<ListKind>

/** Every kind there is. */
export const ALL_KINDS: Kinds = new Set(['tools', 'resources', 'prompts'])

/** Which lists of each server are out of date, so that a change of one is not a reason to read the others again. */
export class StaleLists {
  readonly #stale = new Map<string, Kinds>()
  /** What is being read, or was to be read by a reading that was given up. */
  readonly #reading = new Map<string, Kinds>()

  /** The lists of these kinds changed. */
  mark(serverId: string, kinds: Iterable<ListKind>): void {
    this.#stale.set(serverId, new Set([...(this.#stale.get(serverId) ?? []), ...kinds]))
  }

  /** Changes may have been missed: whatever is read next is read whole. */
  clear(): void {
    this.#stale.clear()
    this.#reading.clear()
  }

  /** What a reading that begins now has to read: what changed, or everything if nothing is known to have. */
  begin(serverId: string, isKnown: boolean): Kinds {
    const stale = new Set([...(this.#reading.get(serverId) ?? []), ...(this.#stale.get(serverId) ?? [])])
    const kinds = isKnown && stale.size > 0 ? stale : ALL_KINDS
    this.#reading.set(serverId, kinds)
    this.#stale.delete(serverId)
    return kinds
  }

  /** The reading that began last brought what it had to. Gives whether nothing of the server changed meanwhile. */
  end(serverId: string): boolean {
    this.#reading.delete(serverId)
    return !this.#stale.has(serverId)
  }
}
