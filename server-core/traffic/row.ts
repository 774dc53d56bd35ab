import type { WireDirection } from '../transports/tap.ts'
import type { Connection } from './connection.ts'
import type { Exchange, Span } from './exchange.ts'
import type { StoredFrame } from './stored-frame.ts'

/** A row names at most so many frames; then a new row goes on. */
export const ROW_FRAMES = 1_000

const INSTANTS = 64
const WAITS = 500
const NONE: readonly never[] = []

/** A row while it grows. */
export type Row = {
  readonly id: string
  readonly connection: Connection
  readonly parent: Row | undefined
  readonly kind: Exchange['kind']
  readonly direction: WireDirection
  readonly method: string
  label: string
  readonly startedAt: number
  endedAt: number | undefined
  outcome: Exchange['outcome']
  errorCode: number | undefined
  errorMessage: string | undefined
  bytes: number
  frames: readonly number[]
  count: number
  rounds: number
  /** Members that few rows need are undefined until then: a hundred thousand rows are kept. */
  waits: Span[] | undefined
  progress: { readonly value: number; readonly total?: number } | undefined
  instants: number[] | undefined
  /** Every how many-th notification is an instant. */
  instantStep: number
  /** Its frames that are still kept. */
  kept: number
  gone: boolean
  /** Others know of it, so they must be told when it goes. */
  told: boolean
  /** Where the connection finds it: keys of ids and tokens, numbers of HTTP requests. */
  idKeys: readonly string[]
  tokenKeys: readonly string[]
  httpExchanges: readonly number[]
  readonly session: string | undefined
  /** The wait of its parent that this question is. */
  wait: Span | undefined
  /** Modern rounds: what the client must send back, and the questions by name. */
  requestState: string | undefined
  questions: Map<string, Row> | undefined
  /** The row its progress notifications are folded into. */
  progressRow: Row | undefined
}

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
    frames: NONE,
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
  row.frames = row.frames.concat(frame.seq)
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
