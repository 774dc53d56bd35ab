import { Emitter } from '../protocol/emitter.ts'
import type { ListKind } from '../protocol/list-kind.ts'
import type { RegistryChange } from './entries.ts'
import { listsDiffer, type EntryLists } from './list-differences.ts'

/** The entries of a kind as they are seen just now; the same arrays until something changed. */
type Lists = () => EntryLists

/**
 * Notifies listeners of changes: each change of a list immediately, or, of a batch, each kind once at its end if its
 * list is then another one.
 */
export class RegistryChanges {
  readonly #lists: Readonly<Record<ListKind, Lists>>
  readonly #changes = new Emitter<RegistryChange>()
  #before: Readonly<Record<ListKind, EntryLists>> | undefined

  constructor(lists: Readonly<Record<ListKind, Lists>>) {
    this.#lists = lists
  }

  /** Returns an unsubscribe function. */
  listen(listener: (change: RegistryChange) => void): () => void {
    return this.#changes.listen(listener)
  }

  listChanged(kind: ListKind): void {
    if (this.#before === undefined) this.publish({ type: 'list', kind })
  }

  /** Runs what makes many changes. A batch within a batch is part of it. */
  batch<T>(work: () => T): T {
    if (this.#before !== undefined) return work()
    const before = this.#now()
    this.#before = before
    try {
      return work()
    } finally {
      this.#before = undefined
      const now = this.#now()
      for (const kind of ['tools', 'resources', 'prompts'] as const) {
        if (listsDiffer(before[kind], now[kind])) this.publish({ type: 'list', kind })
      }
    }
  }

  publish(change: RegistryChange): void {
    this.#changes.emit(change)
  }

  #now() {
    const { tools, resources, prompts } = this.#lists
    return { tools: tools(), resources: resources(), prompts: prompts() }
  }
}
