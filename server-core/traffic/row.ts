import type { Frame, WireDirection } from '../transports/tap.ts'
import type { Exchange, HttpView, Span, TapSide } from './exchange.ts'

/** Which connection a tap sits on. `serverName` is what people call the server. */
export type TapSource = {
  readonly serverId: string
  readonly serverName: string
  readonly side: TapSide
  /** On the server's side: no other client is seen here. */
  readonly isOneClient?: boolean
}

/** A frame as it is kept: its bytes untouched, its HTTP facts without secrets. */
export type StoredFrame = {
  readonly seq: number
  /** Milliseconds since 1970, with fractions. */
  readonly at: number
  readonly kind: Frame['kind']
  /** `sent`: from the client to the server. */
  readonly direction: WireDirection
  readonly bytes: Uint8Array
  readonly http: HttpView | undefined
  /** Why it is noise, or what happened in the connection's life. */
  readonly reason: string | undefined
  /** Of a life event. */
  readonly event: 'opened' | 'closed' | undefined
  /** The rows that show it and are still kept. */
  rows: readonly Row[]
}

/** What a row needs of its connection. */
export type RowHome = {
  readonly source: TapSource
  /** The newest row, which the next frame may continue. */
  newest: Row | undefined
  readonly open: Set<Row>
  /** Rows that were answered with questions (`input_required`) and wait for their retry. */
  readonly waiting: Set<Row>
  /** The legacy HTTP session that a new row belongs to. */
  session(frame: StoredFrame): string | undefined
  /** Nothing finds the row any more. */
  forget(row: Row): void
}

/** A row while it grows. */
export type Row = {
  readonly id: string
  readonly connection: RowHome
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
  frames: number[]
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
