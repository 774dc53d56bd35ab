import type { Frame, HttpFacts, WireDirection } from '../ports/tap.ts'
import type { Exchange, ShownRow, Span, TapSide } from './exchange.ts'
import type { Redaction } from './redaction.ts'
import { rowId } from './row-number.ts'

/** Which connection a tap sits on. `serverName` is the name that the user sees. */
export type TapSource = {
  readonly serverId: string
  readonly serverName: string
  readonly side: TapSide
  /** On the server's side: the tap sees no other client. */
  readonly isOneClient?: boolean
  /** It was seen before the process was started. */
  readonly isEarlierRun?: boolean
}

/** A frame while it is folded into rows or copied for a reader. `bytes` may be a view of memory that is reused. */
export type StoredFrame = {
  readonly seq: number
  /** Milliseconds since 1970, with fractions. */
  readonly at: number
  readonly kind: Frame['kind']
  /** `sent`: from the client to the server. */
  readonly direction: WireDirection
  readonly bytes: Uint8Array
  /** As the transport recorded them: secrets are masked when a reader asks. */
  readonly http: HttpFacts | undefined
  /** Why the bytes are invalid, or what happened to the connection. */
  readonly reason: string | undefined
  /** Of a life event. */
  readonly event: 'opened' | 'closed' | undefined
  /** The rows that show it and are still stored. */
  rows: readonly Row[]
}

/** What a row needs of its connection. */
export type RowHome = {
  readonly source: TapSource
  readonly redaction: Redaction
  /** The newest row, which the next frame may continue. */
  newest: Row | undefined
  /** Where the rows of its server are stored. */
  readonly rows: { add(row: Row): void }
  readonly open: Set<Row>
  /** Rows that were answered with questions (`input_required`) and wait for their retry. */
  readonly waiting: Set<Row>
  /** The legacy HTTP session that a new row belongs to. */
  session(frame: StoredFrame): string | undefined
  /** Removes a row from all indexes: no later frame finds it. */
  forget(row: Row): void
}

export type RowStart = Pick<Row, 'connection' | 'kind' | 'direction' | 'method' | 'label' | 'outcome'> & {
  readonly parent?: Row | undefined
}

/** What the objects of a row take in memory without its texts, roughly. */
export const ROW_BYTES = 512

/** A row while it grows. The log stores a hundred thousand of them, so members that few rows need start undefined. */
export class Row implements ShownRow {
  /** Orders rows by the frame that started them; see `row-number.ts`. */
  readonly number: number
  readonly connection: RowHome
  readonly parent: Row | undefined
  readonly kind: Exchange['kind']
  readonly direction: WireDirection
  readonly method: string
  label: string
  readonly startedAt: number
  endedAt: number | undefined = undefined
  outcome: Exchange['outcome']
  errorCode: number | undefined = undefined
  errorMessage: string | undefined = undefined
  /** Patchbay sent it to learn which revisions the server supports. */
  isProbe = false
  /** The faults that were injected into it, in words. */
  faults: readonly string[] | undefined = undefined
  bytes = 0
  frames: number[] = []
  count = 1
  rounds = 1
  waits: Span[] | undefined = undefined
  progress: { readonly value: number; readonly total?: number } | undefined = undefined
  instants: number[] | undefined = undefined
  /** Every how many-th notification is an instant. */
  instantStep = 1
  /** Bytes of memory that it is counted with, roughly. */
  readonly cost: number
  /** How many of its frames are still stored. */
  kept = 0
  /** How many stored rows have it as their parent. */
  inside = 0
  /** How many frames of rows inside it were dropped. */
  dropped = 0
  isDropped = false
  /** A listener has read it, so listeners are notified when it is dropped. */
  isKnown = false
  /** The id that an answer must carry, and the ids of earlier rounds. */
  askId: unknown = undefined
  earlierIds: readonly unknown[] | undefined = undefined
  tokens: readonly unknown[] | undefined = undefined
  /** The number of its HTTP exchange, and those of later rounds. */
  httpExchange: number | undefined = undefined
  laterExchanges: readonly number[] | undefined = undefined
  readonly session: string | undefined
  /** The wait of its parent that this question causes. */
  wait: Span | undefined = undefined
  /** Modern rounds: what the client must send back, and the questions by name. */
  requestState: string | undefined = undefined
  questions: Map<string, Row> | undefined = undefined
  /** The row its progress notifications are folded into. */
  progressRow: Row | undefined = undefined

  constructor(number: number, start: RowStart, frame: StoredFrame) {
    this.number = number
    this.connection = start.connection
    this.parent = start.parent
    this.kind = start.kind
    this.direction = start.direction
    this.method = start.method
    this.label = start.label
    this.startedAt = frame.at
    this.outcome = start.outcome
    this.cost = ROW_BYTES + start.label.length
    this.session = start.connection.session(frame)
  }

  get id(): string {
    return rowId(this.number)
  }

  read(): Exchange {
    this.isKnown = true
    const { source, redaction } = this.connection
    return {
      id: this.id,
      ...(this.parent === undefined ? {} : { parentId: this.parent.id }),
      serverId: source.serverId,
      serverName: source.serverName,
      side: source.side,
      kind: this.kind,
      direction: this.direction,
      method: this.method,
      label: redaction.line(this.label),
      startedAt: this.startedAt,
      ...(this.endedAt === undefined ? {} : { endedAt: this.endedAt }),
      outcome: this.outcome,
      ...(this.errorCode === undefined ? {} : { errorCode: this.errorCode }),
      ...(this.errorMessage === undefined ? {} : { errorMessage: redaction.line(this.errorMessage) }),
      bytes: this.bytes,
      frames: this.frames.slice(),
      count: this.count,
      ...(this.rounds === 1 ? {} : { rounds: this.rounds }),
      ...(this.waits === undefined ? {} : { waits: this.waits.map((span) => ({ ...span })) }),
      ...(this.progress === undefined ? {} : { progress: this.progress }),
      ...(this.instants === undefined ? {} : { instants: this.instants.slice() }),
      ...(this.dropped === 0 ? {} : { dropped: this.dropped }),
      ...(source.isEarlierRun === true ? { earlierRun: true as const } : {}),
      ...(this.isProbe ? { probe: true as const } : {}),
      ...(this.faults === undefined ? {} : { faults: [...this.faults] }),
    }
  }
}
