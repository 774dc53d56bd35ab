import { DEFAULT_LIMITS, type Limits } from '../protocol/limits.ts'
import { parseMessage } from '../protocol/parse.ts'
import { frameOf, type Frame, type MessageLines, type Tap } from '../transports/tap.ts'
import { Backlog } from './backlog.ts'
import { closeRequest } from './closing.ts'
import { Connection } from './connection.ts'
import type { Exchange, FrameView, TrafficChange, TrafficCounts } from './exchange.ts'
import { ExchangeFolder, type Content } from './exchanges.ts'
import { recordedOf, type Recorded } from './recorded.ts'
import { Redaction, type Masking } from './redaction.ts'
import { DEFAULT_BOUNDS, RowStore, type TrafficBounds } from './row-store.ts'
import { storeFrame, viewFrame } from './stored-frame.ts'
import type { Row, TapSource } from './row.ts'

export type TrafficListener = (change: TrafficChange) => void

/** Listeners are told at most once in this time. */
const FLUSH_MS = 16
/** Folding gives way to other work after this time. */
const SLICE_MS = 8
/** Of the bytes that may be kept, at least so many are left to frames that wait. */
const BACKLOG_SHARE = 0.9
const TIME_ORIGIN = performance.timeOrigin
const NO_MESSAGE: Content = { readable: false, reason: '' }

/**
 * Everything that was seen on all taps. Recording stores references and a time; rows are made of it later, in
 * batches, while somebody listens, and otherwise when somebody looks. Reading (`rows`, `frames`, `counts`) sees
 * everything recorded so far.
 */
export class TrafficLog {
  readonly #store: RowStore
  readonly #folder: ExchangeFolder
  readonly #redaction = new Redaction()
  readonly #limits: Limits
  readonly #listeners = new Set<TrafficListener>()
  /** Rows by the bytes object that a transport gave to the tap and to its user alike. */
  readonly #rowOf = new WeakMap<Uint8Array, Row>()
  /** Of those that are kept as copies, the numbers of their frames. */
  readonly #numberOf = new WeakMap<Uint8Array, number>()
  readonly #backlog: Backlog
  readonly #frameBytes: number
  #scheduled = false
  #flushedAt = -Infinity
  #cleared = false
  #changed = false

  constructor(options: { readonly bounds?: TrafficBounds; readonly limits?: Limits } = {}) {
    const bounds = options.bounds ?? DEFAULT_BOUNDS
    this.#store = new RowStore(bounds)
    this.#frameBytes = bounds.frameBytes
    this.#backlog = new Backlog(bounds.frameBytes)
    this.#folder = new ExchangeFolder(this.#store)
    this.#limits = options.limits ?? DEFAULT_LIMITS
  }

  /**
   * A tap for one connection: ids of requests are told apart by it. On the server's side one tap may see several
   * clients over HTTP; its forks see one each.
   */
  tap(source: TapSource): Tap {
    const connection = new Connection(source)
    return {
      record: (frame) => {
        this.#record(connection, frame)
      },
      lines: (lines) => {
        this.#recordLines(connection, lines)
      },
      fork: () => this.tap({ ...source, isOneClient: true }),
    }
  }

  /** What takes registered secrets out of other things that a peer said. */
  get masking(): Masking {
    return this.#redaction
  }

  /**
   * Hides a secret in the HTTP facts of all later frames, and in rows and frames when they are read. Gives the
   * function that forgets it.
   */
  redact(value: string): () => void {
    this.#fold(Infinity)
    const forget = this.#redaction.register(value)
    return () => {
      this.#fold(Infinity)
      forget()
    }
  }

  /** Tells what changed from now on, merged, at most every 16 ms. Gives the function that ends it. */
  subscribe(listener: TrafficListener): () => void {
    this.#flush()
    this.#store.collectChanges(true)
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#store.collectChanges(false)
    }
  }

  /** All rows that are kept, in time order. */
  rows(): Exchange[] {
    this.#fold(Infinity)
    return this.#store.exchanges().map((row) => this.#masked(row))
  }

  counts(): TrafficCounts {
    this.#fold(Infinity)
    return this.#store.counts()
  }

  /** Frames with their bytes as text, at most 256 KiB of each unless `whole`; those not kept any more are counted. */
  frames(
    seqs: readonly number[],
    options: { readonly whole?: boolean } = {},
  ): { frames: FrameView[]; dropped: number } {
    this.#fold(Infinity)
    const kept = seqs.flatMap((seq) => this.#store.frame(seq) ?? [])
    const frames = kept.map((frame) => viewFrame(frame, options.whole ?? false, this.#redaction))
    return { frames, dropped: seqs.length - kept.length }
  }

  /** The number of the frame that comes next. */
  nextSeq(): number {
    return this.#backlog.end
  }

  /** The row of the message that a transport delivered as this very `bytes` object. */
  exchangeIdOf(bytes: Uint8Array): string | undefined {
    return this.#rowFor(bytes)?.id
  }

  /** The row of a question that stands under that name in a message (2026-07-28: `inputRequests`), while it is open. */
  questionIdOf(bytes: Uint8Array, key: string): string | undefined {
    return this.#rowFor(bytes)?.questions?.get(key)?.id
  }

  /** No answers will come to what a message asks for (2026-07-28: `inputRequests`), so its request is over. */
  giveUp(bytes: Uint8Array): void {
    const row = this.#rowFor(bytes)
    if (row?.connection.waiting.has(row) !== true) return
    closeRequest(this.#store, row, { at: TIME_ORIGIN + performance.now() }, { type: 'cancelled' })
    this.#changed = true
    this.#flush()
  }

  /** Forgets everything that is over. Open exchanges stay, `dropped` begins anew. */
  clear(): void {
    this.#fold(Infinity)
    this.#store.clear()
    this.#cleared = true
    this.#changed = true
    this.#flush()
  }

  #rowFor(bytes: Uint8Array): Row | undefined {
    this.#fold(Infinity)
    const number = this.#numberOf.get(bytes)
    return number === undefined ? this.#rowOf.get(bytes) : this.#store.frame(number)?.rows[0]
  }

  #record(connection: Connection, frame: Frame): void {
    const at = TIME_ORIGIN + performance.now()
    if (this.#listeners.size > 0) {
      this.#backlog.add(recordedOf(connection, at, frame, 'parsed' in frame ? frame.parsed : undefined))
      if (!this.#scheduled) this.#schedule()
      return
    }
    // Only what a client received is asked for as the very bytes that came.
    if (connection.source.side === 'client' && frame.direction === 'received')
      this.#numberOf.set(frame.bytes, this.#backlog.end)
    this.#backlog.addCopy(connection, at, frame)
    this.#keepBound()
  }

  #recordLines(connection: Connection, lines: MessageLines): void {
    if (this.#listeners.size > 0 || connection.source.side === 'client') {
      for (let index = 0; index < lines.ends.length; index += 1)
        this.#record(connection, frameOf(lines, index))
      return
    }
    this.#backlog.addLines(connection, TIME_ORIGIN + performance.now(), lines)
    this.#keepBound()
  }

  #keepBound(): void {
    if (this.#backlog.cost + this.#store.cost > this.#frameBytes) this.#makeRoom()
  }

  /** Nobody looks: what is over goes unseen. */
  #makeRoom(): void {
    this.#changed = true
    this.#store.dropFrames(Math.max(0, this.#frameBytes - this.#backlog.cost))
    if (this.#backlog.cost <= this.#frameBytes * BACKLOG_SHARE) return
    const dropped = this.#backlog.makeRoom((recorded) => {
      this.#foldOne(recorded)
    })
    this.#store.countDropped(dropped)
  }

  #schedule(): void {
    this.#scheduled = true
    const wait = this.#flushedAt + FLUSH_MS - performance.now()
    if (wait <= 0) setImmediate(this.#work)
    else setTimeout(this.#work, wait).unref()
  }

  /** Folds for a slice of time, tells the listeners, and goes on later if something is left. */
  readonly #work = (): void => {
    this.#scheduled = false
    this.#fold(SLICE_MS)
    this.#tell()
    if (!this.#backlog.isEmpty && this.#listeners.size > 0) {
      this.#scheduled = true
      setImmediate(this.#work)
    }
  }

  #fold(sliceMs: number): void {
    if (this.#backlog.isEmpty) return
    const end = performance.now() + sliceMs
    this.#changed = true
    let folded = 0
    for (let next = this.#backlog.take(); next !== undefined; next = this.#backlog.take()) {
      this.#foldOne(next)
      folded += 1
      if (folded % 16 === 0 && performance.now() >= end) break
    }
  }

  #foldOne(recorded: Recorded): void {
    const stored = storeFrame(recorded, this.#backlog.taken, this.#redaction)
    this.#folder.fold(recorded.connection, stored, this.#contentOf(recorded))
    const row = stored.rows[0]
    if (recorded.kind === 'message' && row !== undefined) this.#rowOf.set(recorded.bytes, row)
    this.#store.keep(stored)
  }

  #contentOf(recorded: Recorded): Content {
    if (recorded.kind !== 'message') return NO_MESSAGE
    if (recorded.parsed !== undefined) return { readable: true, value: recorded.parsed }
    const parsed = parseMessage(recorded.bytes, this.#limits)
    return parsed.ok
      ? { readable: true, value: parsed.value }
      : { readable: false, reason: parsed.error.message }
  }

  #flush(): void {
    this.#fold(Infinity)
    this.#tell()
  }

  #tell(): void {
    this.#flushedAt = performance.now()
    if (!this.#changed) return
    this.#changed = false
    if (this.#listeners.size === 0) {
      this.#cleared = false
      return
    }
    const { rows, removed } = this.#store.takeChanges()
    const change = {
      cleared: this.#cleared,
      rows: rows.map((row) => this.#masked(row)),
      removed,
      counts: this.#store.counts(),
    }
    this.#cleared = false
    for (const listener of this.#listeners) listener(change)
  }

  #masked(row: Exchange): Exchange {
    row.label = this.#redaction.line(row.label)
    if (row.errorMessage !== undefined) row.errorMessage = this.#redaction.line(row.errorMessage)
    return row
  }
}
