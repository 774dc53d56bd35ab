import { handshakeRow, REVISIONS, SUPPORTED, type Revision, type RevisionRow } from '../protocol/revisions.ts'

/** The revisions that one server speaks, and which of them a client gets. */
export class SpokenRevisions {
  /** Oldest first. */
  readonly all: readonly Revision[]
  /** Those that open with a handshake. */
  readonly legacy: readonly Revision[]
  /** Those whose requests describe themselves. */
  readonly modern: readonly Revision[]
  readonly #rows: ReadonlyMap<string, RevisionRow>
  readonly #newestHandshake: RevisionRow | undefined

  /** Throws a `RangeError` if there are none, or one of them is unknown. */
  constructor(revisions: readonly Revision[]) {
    const unknown = revisions.find((revision) => !SUPPORTED.includes(revision))
    if (revisions.length === 0 || unknown !== undefined) {
      throw new RangeError(
        `revisions takes at least one of ${SUPPORTED.join(', ')}, got ${unknown ?? 'none'}`,
      )
    }
    const rows = REVISIONS.filter(({ revision }) => revisions.includes(revision))
    this.all = rows.map(({ revision }) => revision)
    this.legacy = rows.filter(({ era }) => era === 'legacy').map(({ revision }) => revision)
    this.modern = rows.filter(({ era }) => era === 'modern').map(({ revision }) => revision)
    this.#rows = new Map(rows.map((row) => [row.revision, row]))
    this.#newestHandshake = rows.findLast(({ era }) => era === 'legacy')
  }

  /** The row of a version string, if it is spoken. */
  row(version: string): RevisionRow | undefined {
    return this.#rows.get(version)
  }

  /**
   * What `initialize` agrees on (Lifecycle: version negotiation): the version that the client offers, else the newest
   * that opens with a handshake; undefined if none does.
   */
  negotiate(offered: string): RevisionRow | undefined {
    const row = handshakeRow(offered)
    return row !== undefined && this.#rows.has(row.revision) ? row : this.#newestHandshake
  }
}
