import type { Exchange } from '../../capture/exchange.ts'
import type { FoundFrame, RecordingFilter } from '../find-frames.ts'
import type { RecordingView } from '../recording-view.ts'
import { rowsOfFrames } from '../rows-of-frames.ts'
import type { StoredRecording } from './recording-store.ts'

/** A row with the recording that has its frames, by their numbers there. */
export type RecordedRow = Exchange & { readonly recording: string }

/** Where the next page begins: before these numbers of frames; of other recordings nothing was read. */
export type Cursor = Readonly<Record<string, number>>

export type RowsPage = {
  /** In time order. */
  readonly rows: RecordedRow[]
  /** Undefined if there are no older ones. */
  readonly next: Cursor | undefined
}

/**
 * The newest rows of recordings that match, page by page. Recordings that are all older than a full page are not opened.
 *
 * @param recordings the one that was written last first
 */
export async function earlierRows(
  recordings: readonly StoredRecording[],
  open: (id: string) => Promise<RecordingView>,
  filter: RecordingFilter,
  limit: number,
  cursor: Cursor = {},
): Promise<RowsPage> {
  const found: (FoundFrame & { readonly recording: StoredRecording })[] = []
  let isMore = false
  for (const recording of recordings) {
    const oldest = found.length >= limit ? (found[limit - 1]?.at ?? 0) : -Infinity
    if (recording.endedAt < oldest) {
      isMore = true
      break
    }
    if (recording.startedAt > (filter.until ?? Infinity) || cursor[recording.id] === 0) continue
    const view = await open(recording.id)
    for (const frame of await view.find(filter, limit + 1, cursor[recording.id]))
      found.push({ ...frame, recording })
    found.sort((a, b) => b.at - a.at)
  }
  const page = found.slice(0, limit)
  isMore ||= found.length > limit
  const next: Record<string, number> = { ...cursor }
  const rows: RecordedRow[] = []
  for (const recording of new Set(page.map((each) => each.recording))) {
    const numbers = page.flatMap((each) => (each.recording === recording ? [each.number] : []))
    next[recording.id] = Math.min(...numbers)
    const view = await open(recording.id)
    const frames = await view.read(numbers, { pairs: true })
    for (const row of rowsOfFrames(frames, () => recording.serverId))
      rows.push({
        ...row,
        id: `${recording.id}/${row.id}`,
        ...(row.parentId !== undefined && { parentId: `${recording.id}/${row.parentId}` }),
        recording: recording.id,
      })
  }
  rows.sort((a, b) => a.startedAt - b.startedAt)
  return { rows, next: isMore ? next : undefined }
}
