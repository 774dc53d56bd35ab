import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { durationText } from '../../server-core/protocol/duration-text.ts'
import { placeIn, type TimeWindow } from './time-window.ts'

/** A stretch of a bar: solid while the server works, hollow while the client's side thinks. Shares of the plot. */
export interface BarPiece {
  readonly left: number
  readonly width: number
  readonly ms: number
  readonly hollow: boolean
  /** It goes on: its right end is the now line. */
  readonly open: boolean
}

export interface BarLabel {
  readonly text: string
  /** Where it stands: in a hollow piece, after the end of the bar, or before its beginning. */
  readonly place: 'inside' | 'after' | 'before'
  readonly left: number
  readonly width: number
}

export interface Plot {
  readonly pieces: readonly BarPiece[]
  /** Instants, as shares of the plot. */
  readonly ticks: readonly number[]
  /** Where the mark of the end, or of an instant, stands. */
  readonly mark: number | undefined
  readonly labels: readonly BarLabel[]
}

/** Pixels: of a character of a label on average, around a label, from a bar's end to its mark and to its label. */
const CHARACTER = 6
const PADDING = 8
const TO_MARK = 10
const TO_LABEL = 18

const NOTHING: Plot = { pieces: [], ticks: [], mark: undefined, labels: [] }

/**
 * Lays a row out in the waterfall. `width` is the plot's in pixels, for the labels that must fit; `note` is what
 * shown beside the bar. Parts outside the window are cut off.
 */
export function plotOf(row: Exchange, window: TimeWindow, now: number, width: number, note: string): Plot {
  const place = (at: number): number => placeIn(window, at)
  if (row.kind === 'notification') {
    return { ...NOTHING, ticks: (row.instants ?? [row.startedAt]).map(place).filter(isInside) }
  }
  if (row.kind !== 'request' && row.kind !== 'http') {
    const mark = place(row.startedAt)
    return isInside(mark) ? { ...NOTHING, mark } : NOTHING
  }
  const end = row.endedAt ?? now
  const pieces = piecesOf(row, end).flatMap(({ from, to, hollow, open }): BarPiece[] => {
    const left = Math.max(0, place(from))
    const right = Math.min(1, place(to))
    return left > 1 || right < 0
      ? []
      : [{ left, width: Math.max(0, right - left), ms: to - from, hollow, open }]
  })
  const ended = row.endedAt === undefined ? undefined : place(row.endedAt)
  const mark = ended !== undefined && isInside(ended) ? ended + TO_MARK / width : undefined
  return { pieces, ticks: [], mark, labels: labelsOf(pieces, width, note, mark !== undefined) }
}

/** Milliseconds of an exchange in which the client's side was to answer; waits that overlap count once. */
export function answeringMs(row: Exchange, now: number): number {
  const hollow = piecesOf(row, row.endedAt ?? now).filter((piece) => piece.hollow)
  return hollow.reduce((sum, piece) => sum + piece.to - piece.from, 0)
}

interface Piece {
  readonly from: number
  readonly to: number
  readonly hollow: boolean
  readonly open: boolean
}

/** The bar in time order, without gaps: waits that overlap are one. */
function piecesOf(row: Exchange, end: number): readonly Piece[] {
  const isOpen = row.endedAt === undefined
  if (row.direction === 'received' && row.kind === 'request') {
    return [{ from: row.startedAt, to: end, hollow: true, open: isOpen }]
  }
  const pieces: Piece[] = []
  let from = row.startedAt
  for (const wait of row.waits ?? []) {
    const start = Math.max(from, wait.startedAt)
    const stop = Math.min(end, wait.endedAt ?? end)
    if (stop <= start) continue
    if (start > from) pieces.push({ from, to: start, hollow: false, open: false })
    pieces.push({ from: start, to: stop, hollow: true, open: isOpen && wait.endedAt === undefined })
    from = stop
  }
  if (from < end || pieces.length === 0) pieces.push({ from, to: end, hollow: false, open: isOpen })
  return pieces
}

/** A wait is named in its hollow piece if that fits; the note follows the bar if it fits, else it precedes it. */
function labelsOf(
  pieces: readonly BarPiece[],
  width: number,
  note: string,
  hasMark: boolean,
): readonly BarLabel[] {
  const fits = (text: string, share: number): boolean => text.length * CHARACTER + PADDING <= share * width
  const labels = pieces.flatMap((piece): BarLabel[] => {
    const text = `answering ${durationText(piece.ms)}`
    if (!piece.hollow || piece.open || !fits(text, piece.width)) return []
    return [{ text, place: 'inside', left: piece.left, width: piece.width }]
  })
  const first = pieces[0]
  const last = pieces.at(-1)
  if (note === '' || first === undefined || last === undefined) return labels
  const after = last.left + last.width + (hasMark ? TO_LABEL : 0) / width
  const isAfter = fits(note, 1 - after) || (!fits(note, first.left) && 1 - after >= first.left)
  const label: BarLabel = isAfter
    ? { text: note, place: 'after', left: after, width: Math.max(0, 1 - after) }
    : { text: note, place: 'before', left: 0, width: first.left }
  return [...labels, label]
}

function isInside(place: number): boolean {
  return place >= 0 && place <= 1
}
