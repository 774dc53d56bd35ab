import type { Exchange, Span } from './exchange.ts'
import type { Row, StoredFrame } from './row.ts'

/** A row names at most so many frames; then a new row goes on. */
export const ROW_FRAMES = 1_000

const FEW = 8
const INSTANTS = 64
const WAITS = 500
const NONE: readonly never[] = []

export type RowStart = Pick<Row, 'connection' | 'kind' | 'direction' | 'method' | 'label' | 'outcome'> & {
  readonly parent?: Row | undefined
}

/** A row that begins with a frame. */
export function startRow(id: string, start: RowStart, frame: StoredFrame): Row {
  return {
    id,
    connection: start.connection,
    parent: start.parent,
    kind: start.kind,
    direction: start.direction,
    method: start.method,
    label: start.label,
    startedAt: frame.at,
    endedAt: undefined,
    outcome: start.outcome,
    errorCode: undefined,
    errorMessage: undefined,
    bytes: 0,
    frames: [],
    count: 1,
    rounds: 1,
    waits: undefined,
    progress: undefined,
    instants: undefined,
    instantStep: 1,
    kept: 0,
    gone: false,
    told: false,
    idKeys: NONE,
    tokenKeys: NONE,
    httpExchanges: NONE,
    session: start.connection.session(frame),
    wait: undefined,
    requestState: undefined,
    questions: undefined,
    progressRow: undefined,
  }
}

/** Puts a frame into a row, once. */
export function joinRow(row: Row, frame: StoredFrame): void {
  if (row.frames.at(-1) === frame.seq) return
  // Most rows have a frame or two, and no room to spare for more; the others are not copied for each that comes.
  if (row.frames.length < FEW) row.frames = row.frames.concat(frame.seq)
  else row.frames.push(frame.seq)
  row.bytes += frame.bytes.byteLength
  row.kept += 1
  frame.rows = frame.rows.concat(row)
}

/** Counts one more notification at a time; the instants stay evenly thinned however many come. */
export function countInstant(row: Row, at: number): void {
  row.count += 1
  row.endedAt = at
  row.instants ??= [row.startedAt]
  if ((row.count - 1) % row.instantStep !== 0) return
  row.instants.push(at)
  if (row.instants.length <= INSTANTS) return
  row.instants = row.instants.filter((_, index) => index % 2 === 0)
  row.instantStep *= 2
}

/** Begins a wait of the exchange for the side that asked. Undefined if there are too many to tell apart. */
export function startWait(row: Row, at: number): Span | undefined {
  row.waits ??= []
  if (row.waits.length >= WAITS) return undefined
  const span: Span = { startedAt: at }
  row.waits.push(span)
  return span
}

/** The row as everybody else sees it; what is done to the row later does not change it. */
export function exchangeOf(row: Row): Exchange {
  const { source } = row.connection
  return {
    id: row.id,
    ...(row.parent === undefined ? {} : { parentId: row.parent.id }),
    serverId: source.serverId,
    serverName: source.serverName,
    side: source.side,
    kind: row.kind,
    direction: row.direction,
    method: row.method,
    label: row.label,
    startedAt: row.startedAt,
    ...(row.endedAt === undefined ? {} : { endedAt: row.endedAt }),
    outcome: row.outcome,
    ...(row.errorCode === undefined ? {} : { errorCode: row.errorCode }),
    ...(row.errorMessage === undefined ? {} : { errorMessage: row.errorMessage }),
    bytes: row.bytes,
    frames: row.frames.slice(),
    count: row.count,
    ...(row.rounds === 1 ? {} : { rounds: row.rounds }),
    ...(row.waits === undefined ? {} : { waits: row.waits.map((span) => ({ ...span })) }),
    ...(row.progress === undefined ? {} : { progress: row.progress }),
    ...(row.instants === undefined ? {} : { instants: row.instants.slice() }),
  }
}
