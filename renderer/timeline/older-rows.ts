import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { showFailure } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { live } from '../host/live.ts'
import { TOLERANCE_MS, withoutShown } from './without-shown.ts'
import { timelineText } from './text.ts'

/** Rows that are read at once. */
const PAGE = 500
/** Rows that are added in all; the page Recordings has the others. */
const MOST = 50_000
/** The oldest rows of the timeline, among which the newest recorded ones may be. */
const OVERLAP = 200

type Cursor = Record<string, number>
type Progress = { cursor: Cursor | undefined; until: number; count: number; first: string }

/** Rows that are older than those in memory, read from the recordings page by page. */
class OlderRows {
  /** The recording of each row. */
  readonly #recordings = new Map<string, string>()
  #progress: Progress | undefined
  #isLoading = false
  #isComplete = false

  /** The recording that has the frames of a row; undefined if memory has them. */
  recordingOf(id: string): string | undefined {
    return this.#recordings.get(id)
  }

  /** Adds the next older rows at the start of the timeline, if there are any. */
  async load(): Promise<void> {
    if (this.#isLoading) return
    const { rows, placeOf } = live.exchanges.get()
    // Rows are forgotten when the timeline was cleared or the host started again.
    if (this.#progress !== undefined && placeOf(this.#progress.first) === undefined) this.#forget()
    const oldest = rows.find((row) => row !== undefined)
    if (this.#isComplete || oldest === undefined) return
    this.#isLoading = true
    try {
      await this.#loadBefore(oldest, rows.slice(0, OVERLAP))
    } catch (error) {
      showFailure(timelineText.olderRows.couldNotRead, error)
    } finally {
      this.#isLoading = false
    }
  }

  async #loadBefore(oldest: Exchange, overlap: readonly (Exchange | undefined)[]): Promise<void> {
    const until = this.#progress?.until ?? oldest.startedAt + TOLERANCE_MS
    const cursor = this.#progress?.cursor
    const page = await api.recordings.rows({ filter: { until }, limit: PAGE, ...(cursor && { cursor }) })
    const added =
      cursor === undefined
        ? withoutShown(
            page.rows,
            overlap.filter((row) => row !== undefined && row.startedAt <= until),
          )
        : page.rows
    const count = (this.#progress?.count ?? 0) + added.length
    this.#isComplete = page.next === undefined || count >= MOST
    for (const { id, recording } of added) this.#recordings.set(id, recording)
    if (added.length > 0) live.addOlder(added)
    this.#progress = {
      cursor: page.next,
      until,
      count,
      first: added[0]?.id ?? this.#progress?.first ?? oldest.id,
    }
  }

  #forget(): void {
    this.#recordings.clear()
    this.#progress = undefined
    this.#isComplete = false
  }
}

/** The older rows of the timeline of this window. */
export const olderRows = new OlderRows()
