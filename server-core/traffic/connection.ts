import type { WireDirection } from '../transports/tap.ts'
import type { Row, RowHome, StoredFrame, TapSource } from './row.ts'

/** Requests that stay open for long and under which nothing nests by being open alone. */
const LASTING: ReadonlySet<string> = new Set(['subscriptions/listen'])

/** Of rows that used the same id, so many of the newest are looked at. */
const SAME_ID_ROWS = 64

/** What is open on one connection, and how an answer finds its request. */
export class Connection implements RowHome {
  readonly source: TapSource
  /** The newest row, which the next frame may continue. */
  newest: Row | undefined
  readonly open = new Set<Row>()
  /** Rows that were answered with questions (`input_required`) and wait for their retry. */
  readonly waiting = new Set<Row>()
  readonly #byId = new Map<string, Row[]>()
  readonly #byToken = new Map<string, Row>()
  readonly #byHttpExchange = new Map<number, Row>()

  constructor(source: TapSource) {
    this.source = source
  }

  /** Lets answers to this id, sent by the other side, find the row. The id's type is part of it. */
  addId(row: Row, id: unknown): void {
    const key = keyOf(row.direction, id)
    row.idKeys = row.idKeys.concat(key)
    const rows = this.#byId.get(key)
    if (rows === undefined) this.#byId.set(key, [row])
    else if (rows.push(row) > SAME_ID_ROWS) rows.shift()
  }

  addToken(row: Row, token: unknown): void {
    const key = keyOf(row.direction, token)
    row.tokenKeys = row.tokenKeys.concat(key)
    this.#byToken.set(key, row)
  }

  addHttpExchange(row: Row, frame: StoredFrame): void {
    if (frame.http === undefined || this.#byHttpExchange.has(frame.http.exchange)) return
    row.httpExchanges = row.httpExchanges.concat(frame.http.exchange)
    this.#byHttpExchange.set(frame.http.exchange, row)
  }

  /**
   * The request with that id that `asker` sent. Where one tap sees several clients an id is not unique: the one
   * of the same HTTP exchange goes first, then an open one of the same session, then the oldest open one, then
   * the newest that is over.
   */
  request(asker: WireDirection, id: unknown, frame: StoredFrame): Row | undefined {
    const rows = this.#byId.get(keyOf(asker, id))
    if (rows === undefined || rows.length === 1) return rows?.[0]
    const exchange = frame.http?.exchange
    const exact =
      exchange === undefined ? undefined : rows.find((row) => row.httpExchanges.includes(exchange))
    if (exact !== undefined) return exact
    const open = rows.filter((row) => this.open.has(row))
    const session = sessionOf(frame)
    return open.find((row) => row.session === session) ?? open[0] ?? rows.at(-1)
  }

  /** Whether an answer with that id is the one the request waits for; without an id any is. */
  awaits(row: Row, id: unknown): boolean {
    if (!this.open.has(row) || this.waiting.has(row)) return false
    return id === undefined || row.idKeys.at(-1) === keyOf(row.direction, id)
  }

  /** The request whose progress that token names. */
  progressing(asker: WireDirection, token: unknown, frame: StoredFrame): Row | undefined {
    const key = keyOf(asker, token)
    const near = this.httpRow(frame)
    return near?.tokenKeys.includes(key) === true ? near : this.#byToken.get(key)
  }

  /** The legacy HTTP session that a new row belongs to. */
  session(frame: StoredFrame): string | undefined {
    return sessionOf(frame) ?? this.httpRow(frame)?.session
  }

  /** The row of the HTTP request that the frame belongs to. */
  httpRow(frame: StoredFrame): Row | undefined {
    return frame.http === undefined ? undefined : this.#byHttpExchange.get(frame.http.exchange)
  }

  /** The request that the frame's HTTP exchange belongs to, if the frame goes the way of its answer. */
  httpRequest(frame: StoredFrame): Row | undefined {
    const row = this.httpRow(frame)
    return row?.kind === 'request' && row.direction !== frame.direction ? row : undefined
  }

  /**
   * The exchange that something unasked belongs to: the request of its HTTP exchange, or else, if exactly one
   * request of the other side is open, that one. Where one tap sees several clients only the first rule holds.
   */
  around(frame: StoredFrame): Row | undefined {
    const near = this.httpRow(frame)
    if (near?.kind === 'request') {
      return near.direction !== frame.direction && !LASTING.has(near.method) ? near : undefined
    }
    const { side, isOneClient = false } = this.source
    if (frame.http !== undefined && side === 'server' && !isOneClient) return undefined
    let only: Row | undefined
    for (const row of this.open) {
      if (row.kind !== 'request' || row.direction === frame.direction || LASTING.has(row.method)) continue
      if (only !== undefined) return undefined
      only = row
    }
    return only
  }

  /** Nothing finds the row any more. */
  forget(row: Row): void {
    for (const key of row.idKeys) {
      const rows = this.#byId.get(key)?.filter((other) => other !== row) ?? []
      if (rows.length === 0) this.#byId.delete(key)
      else this.#byId.set(key, rows)
    }
    for (const key of row.tokenKeys) if (this.#byToken.get(key) === row) this.#byToken.delete(key)
    for (const exchange of row.httpExchanges) this.#byHttpExchange.delete(exchange)
    this.open.delete(row)
    this.waiting.delete(row)
    if (this.newest === row) this.newest = undefined
  }
}

function sessionOf(frame: StoredFrame): string | undefined {
  return frame.http?.headers.find((header) => header.name === 'mcp-session-id')?.value
}

function keyOf(asker: WireDirection, id: unknown): string {
  return `${asker} ${typeof id} ${String(id)}`
}
