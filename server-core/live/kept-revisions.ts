import type { JsonObject } from '../protocol/json.ts'
import type { LiveFault } from './live-state.ts'

/** One time that a script was tried. */
export type KeptRevision = {
  readonly revision: number
  readonly at: number
  /** Missing: it was loaded. */
  readonly error?: LiveFault
  /** All files that it was made of, absolute, as they were; undefined where one could not be read. */
  readonly sources: ReadonlyMap<string, string | undefined>
  /** What it serves, by the key of each entry, as it is listed; empty if it was not loaded. */
  readonly definitions: ReadonlyMap<string, JsonObject>
  readonly changedWhatClientsSee: boolean
}

/** Revisions of one script that are kept; at least those on which others are built. */
const KEPT = 30

/** What is kept of one script, so that one can look and go back. */
export class KeptRevisions {
  readonly #kept: KeptRevision[] = []

  add(revision: KeptRevision, answering: number | undefined): void {
    this.#kept.push(revision)
    if (this.#kept.length <= KEPT) return
    const oldest = this.#kept.findIndex(({ revision: each }) => each !== answering)
    this.#kept.splice(oldest, 1)
  }

  get(revision: number): KeptRevision | undefined {
    return this.#kept.find((each) => each.revision === revision)
  }

  /** Newest first. */
  list(): readonly KeptRevision[] {
    return this.#kept.toReversed()
  }
}
