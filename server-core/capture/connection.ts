import type { WireDirection } from '../ports/tap.ts'
import type { Redaction } from './redaction.ts'
import type { RowList } from './row-list.ts'
import type { Row, RowHome, StoredFrame, TapSource } from './row.ts'

/** Requests that stay open for long and do not contain what happens meanwhile. */
const LASTING: ReadonlySet<string> = new Set(['subscriptions/listen'])

/** Of rows that used the same id, so many of the newest are considered. */
const SAME_ID_ROWS = 64

/** Most ids are used once, so that a list for each would be wasted. */
type RowsById = Map<unknown, Row | Row[]>

/** What is open on one connection, and how an answer finds its request. */
export class Connection implements RowHome {
  readonly source: TapSource
  /** Where the rows of its server are stored. */
  readonly rows: RowList
  readonly redaction: Redaction
  /** The newest row, which the next frame may continue. */
  newest: Row | undefined
  readonly open = new Set<Row>()
  /** A request of the client was answered with a result: the two sides agreed on a revision. */
  isAgreed = false
  /** Rows that were answered with questions (`input_required`) and wait for their retry. */
  readonly waiting = new Set<Row>()
  readonly #byId: Record<WireDirection, RowsById> = { sent: new Map(), received: new Map() }
  readonly #byToken: Record<WireDirection, Map<unknown, Row>> = { sent: new Map(), received: new Map() }
  readonly #byHttpExchange = new Map<number, Row>()
  /** Most rows belong to the session of the row before: they share its text. */
  #session: string | undefined

  constructor(source: TapSource, rows: RowList, redaction: Redaction) {
    this.source = source
    this.rows = rows
    this.redaction = redaction
  }

  /** Lets answers to this id, sent by the other side, find the row. The id's type is part of it. */
  addId(row: Row, id: unknown): void {
    if (row.askId !== undefined) row.earlierIds = [...(row.earlierIds ?? []), row.askId]
    row.askId = id
    const byId = this.#byId[row.direction]
    const known = byId.get(id)
    if (known === undefined) byId.set(id, row)
    else if (!Array.isArray(known)) byId.set(id, [known, row])
    else if (known.push(row) > SAME_ID_ROWS) known.shift()
  }

  addToken(row: Row, token: unknown): void {
    row.tokens = [...(row.tokens ?? []), token]
    this.#byToken[row.direction].set(token, row)
  }

  addHttpExchange(row: Row, frame: StoredFrame): void {
    if (frame.http === undefined || this.#byHttpExchange.has(frame.http.exchange)) return
    const { exchange } = frame.http
    if (row.httpExchange === undefined) row.httpExchange = exchange
    else row.laterExchanges = [...(row.laterExchanges ?? []), exchange]
    this.#byHttpExchange.set(exchange, row)
  }

  /**
   * The request with that id that `asker` sent. Where one tap sees several clients an id is not unique: the one
   * of the same HTTP exchange goes first, then an open one of the same session, then the oldest open one, then
   * the newest that is over.
   */
  request(asker: WireDirection, id: unknown, frame: StoredFrame): Row | undefined {
    const known = this.#byId[asker].get(id)
    if (!Array.isArray(known)) return known
    const exchange = frame.http?.exchange
    const exact = exchange === undefined ? undefined : known.find((row) => hasExchange(row, exchange))
    if (exact !== undefined) return exact
    const open = known.filter((row) => this.open.has(row))
    const session = sessionOf(frame)
    return open.find((row) => row.session === session) ?? open[0] ?? known.at(-1)
  }

  /** Whether an answer with that id is the one the request waits for; without an id any is. */
  awaits(row: Row, id: unknown): boolean {
    if (!this.open.has(row) || this.waiting.has(row)) return false
    return id === undefined || row.askId === id
  }

  /** The request whose progress that token names. */
  progressing(asker: WireDirection, token: unknown, frame: StoredFrame): Row | undefined {
    const near = this.httpRow(frame)
    const isNear = near?.direction === asker && near.tokens?.includes(token) === true
    return isNear ? near : this.#byToken[asker].get(token)
  }

  /** The legacy HTTP session that a new row belongs to. */
  session(frame: StoredFrame): string | undefined {
    const session = sessionOf(frame)
    if (session === undefined) return this.httpRow(frame)?.session
    if (session !== this.#session) this.#session = session
    return this.#session
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

  /** Removes a row from all indexes: no later frame finds it. */
  forget(row: Row): void {
    if (row.askId !== undefined) {
      this.#forgetId(row, row.askId)
      for (const id of row.earlierIds ?? []) this.#forgetId(row, id)
    }
    const byToken = this.#byToken[row.direction]
    for (const token of row.tokens ?? []) if (byToken.get(token) === row) byToken.delete(token)
    if (row.httpExchange !== undefined) this.#byHttpExchange.delete(row.httpExchange)
    for (const exchange of row.laterExchanges ?? []) this.#byHttpExchange.delete(exchange)
    this.open.delete(row)
    this.waiting.delete(row)
    if (this.newest === row) this.newest = undefined
  }

  #forgetId(row: Row, id: unknown): void {
    const byId = this.#byId[row.direction]
    const known = byId.get(id)
    if (known === row) byId.delete(id)
    else if (Array.isArray(known)) {
      const others = known.filter((other) => other !== row)
      if (others.length === 0) byId.delete(id)
      else byId.set(id, others)
    }
  }
}

function hasExchange(row: Row, exchange: number): boolean {
  return row.httpExchange === exchange || row.laterExchanges?.includes(exchange) === true
}

function sessionOf(frame: StoredFrame): string | undefined {
  return frame.http?.headers['mcp-session-id']
}
