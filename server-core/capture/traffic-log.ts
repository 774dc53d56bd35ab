import { Emitter } from '../protocol/emitter.ts'
import { DEFAULT_LIMITS, type Limits } from '../protocol/limits.ts'
import { parseMessage } from '../protocol/parse.ts'
import { frameOf, recordLines, type Frame, type MessageLines, type Tap } from '../ports/tap.ts'
import { closeRequest } from './closing.ts'
import { Connection } from './connection.ts'
import type { Exchange, FrameView, ShownRow, TrafficChange, TrafficCounts } from './exchange.ts'
import { ExchangeFolder, type Content } from './exchanges.ts'
import { Redaction, type Masking } from './redaction.ts'
import { byStart, startedBefore } from './row-list.ts'
import { RowStore } from './row-store.ts'
import type { Row, StoredFrame, TapSource } from './row.ts'
import { ServerTraffic } from './server-traffic.ts'
import { viewFrame } from './stored-frame.ts'
import { DEFAULT_BOUNDS, type TrafficBounds } from './traffic-bounds.ts'
import type { Usage } from './usage.ts'

export type TrafficListener = (change: TrafficChange) => void

/** Clients of our own server that have a share of their own; of more clients, some share one. */
const CLIENT_SHARES = 32
/** Listeners are notified at most once in this time. */
const FLUSH_MS = 16
/** Folding yields to other work after this time. A collection of garbage in it may take four times as long. */
const SLICE_MS = 4
const TIME_ORIGIN = performance.timeOrigin
const NO_MESSAGE: Content = { readable: false, reason: '' }

/**
 * Everything that was seen on all taps. Recording copies a frame; rows are made of frames later: in slices of a few
 * milliseconds while somebody listens, otherwise when somebody reads `rows`.
 *
 * All servers share the bounds. When one is passed, the server that stores the most loses its oldest frames, so that a
 * busy server never takes the space of one that stores less than its equal share. The same holds between the clients of
 * our own server.
 */
export class TrafficLog {
  readonly #bounds: TrafficBounds
  readonly #usage: Usage = { cost: 0, rows: 0 }
  readonly #store = new RowStore()
  readonly #folder = new ExchangeFolder(this.#store)
  readonly #redaction: Redaction
  readonly #limits: Limits
  readonly #changes = new Emitter<TrafficChange>()
  /**
   * By side, server and share, so that a new connection to a server continues the traffic of the last one. Clients of
   * our own server have shares; frames without a client's connection or session have share 0.
   */
  readonly #servers = new Map<string, ServerTraffic>()
  /** Numbers of frames by the bytes that a client's transport passed to the tap and to its user alike. */
  readonly #numberOf = new WeakMap<Uint8Array, number>()
  #end = 1
  /** The share of the newest client. */
  #share = 0
  #scheduled = false
  #flushedAt = -Infinity
  /** What is stored when the frame with that number comes is to be cleared. */
  #clearAt: number | undefined
  #cleared = false
  #changed = false

  constructor(
    options: {
      readonly bounds?: TrafficBounds
      readonly limits?: Limits
      readonly redaction?: Redaction
    } = {},
  ) {
    this.#redaction = options.redaction ?? new Redaction()
    this.#bounds = options.bounds ?? DEFAULT_BOUNDS
    this.#limits = options.limits ?? DEFAULT_LIMITS
  }

  /**
   * A tap for one connection: ids of requests are told apart by it. On the server's side one tap may see several
   * clients over HTTP; its forks see one each.
   */
  tap(source: TapSource): Tap {
    return this.#tap(source, 0)
  }

  /**
   * Adds a frame that was seen at an earlier time, of a recording for one, and returns its number. Each call of
   * `earlier` is a connection of its own.
   */
  earlier(source: TapSource): (frame: Frame, at: number) => number {
    const server = this.#serverOf(source, 0)
    const connection = new Connection(source, server.rows, this.#redaction)
    return (frame, at) => {
      const seq = this.#end
      server.add(seq, connection, at, frame, undefined)
      this.#end += 1
      this.#keepBounds()
      if (this.#changes.size > 0 && !this.#scheduled) this.#schedule()
      return seq
    }
  }

  #tap(source: TapSource, share: number): Tap {
    const server = this.#serverOf(source, share)
    const connection = new Connection(source, server.rows, this.#redaction)
    return {
      record: (frame) => {
        this.#record(server, connection, frame)
      },
      lines: (lines) => {
        this.#recordLines(server, connection, lines)
      },
      fork: () => this.#tap({ ...source, isOneClient: true }, this.#nextShare()),
      session: () => this.#sessionTap(source),
    }
  }

  /** A tap that takes no memory until the session is used. */
  #sessionTap(source: TapSource): Tap {
    let opened: Tap | undefined
    const open = (): Tap => (opened ??= this.#tap(source, this.#nextShare()))
    return {
      record: (frame) => {
        open().record(frame)
      },
      lines: (lines) => {
        recordLines(open(), lines)
      },
    }
  }

  #nextShare(): number {
    this.#share = (this.#share % CLIENT_SHARES) + 1
    return this.#share
  }

  /** Masks registered secrets in other texts of a peer. */
  get masking(): Masking {
    return this.#redaction
  }

  /** Masks a secret in all rows and frames that are read from now on. */
  redact(value: string): void {
    this.#redaction.register(value)
  }

  /**
   * Notifies the listener of changes from now on, merged, at most every 16 ms. Frames that are not folded yet become
   * rows in slices, in order. Returns an unsubscribe function.
   */
  subscribe(listener: TrafficListener): () => void {
    if (this.#changes.size > 0) this.#notify()
    this.#store.collectChanges(true)
    const leave = this.#changes.listen(listener)
    if (!this.#isFolded) this.#schedule()
    return () => {
      leave()
      if (this.#changes.size === 0) this.#store.collectChanges(false)
    }
  }

  /** All stored rows, in time order; folds everything first, so that it may take a second when nobody listened. */
  rows(): Exchange[] {
    this.#fold(Infinity)
    return this.#rowsBefore(Infinity).map((row) => row.read())
  }

  /**
   * The rows of what could be folded within one slice, in time order, to be read when they are needed: all rows unless
   * much was captured at once. A listener that subscribed before is notified of the others.
   */
  shownRows(): ShownRow[] {
    this.#fold(SLICE_MS)
    return this.#rowsBefore(this.#nextSeq)
  }

  counts(): TrafficCounts {
    const counts = { frames: 0, bytes: 0, dropped: 0 }
    const droppedOf: NonNullable<TrafficCounts['droppedOf']> = []
    for (const server of this.#servers.values()) {
      const { frames, bytes } = server.count()
      counts.frames += frames
      counts.bytes += bytes
      counts.dropped += server.dropped
      const { serverId, serverName, side } = server.source
      if (server.dropped === 0) continue
      const known = droppedOf.find((each) => each.serverId === serverId && each.side === side)
      if (known === undefined) droppedOf.push({ serverId, serverName, side, dropped: server.dropped })
      else known.dropped += server.dropped
    }
    return droppedOf.length === 0 ? counts : { ...counts, droppedOf }
  }

  /** Frames with their bytes as text, at most 256 KiB of each unless `whole`; those no longer stored are counted. */
  frames(
    seqs: readonly number[],
    options: { readonly whole?: boolean } = {},
  ): { frames: FrameView[]; dropped: number } {
    const frames = seqs.flatMap((seq) => {
      const frame = this.#frame(seq)
      return frame === undefined ? [] : [viewFrame(frame, options.whole ?? false, this.#redaction)]
    })
    return { frames, dropped: seqs.length - frames.length }
  }

  /** The number of the frame that comes next. */
  nextSeq(): number {
    return this.#end
  }

  /** The row of the message that a transport delivered as this very `bytes` object. */
  exchangeIdOf(bytes: Uint8Array): string | undefined {
    return this.#rowFor(bytes)?.id
  }

  /** The row of the question with that key in a message (2026-07-28: `inputRequests`), while it is open. */
  questionIdOf(bytes: Uint8Array, key: string): string | undefined {
    return this.#rowFor(bytes)?.questions?.get(key)?.id
  }

  /** No answers will come to the questions in a message (2026-07-28: `inputRequests`), so its request is over. */
  giveUp(bytes: Uint8Array): void {
    const row = this.#rowFor(bytes)
    if (row?.connection.waiting.has(row) !== true) return
    closeRequest(this.#store, row, { at: TIME_ORIGIN + performance.now() }, { type: 'cancelled' })
    this.#changed = true
    if (this.#changes.size > 0) this.#notify()
  }

  /** Drops everything that is over and counts from zero again. Open exchanges stay. */
  clear(): void {
    this.#clearAt = this.#end
    // What is open is known once everything is folded, which listeners must not wait for.
    if (this.#changes.size === 0) this.#fold(Infinity)
    this.#clearIfFolded()
    if (this.#changes.size > 0) this.#notify()
  }

  #clearIfFolded(): void {
    if (this.#clearAt === undefined || this.#nextSeq < this.#clearAt) return
    this.#clearAt = undefined
    for (const server of this.#servers.values()) server.clear()
    this.#store.forgetChanges()
    for (const row of this.#rowsBefore(Infinity)) this.#store.touch(row)
    this.#cleared = true
    this.#changed = true
  }

  #serverOf(source: TapSource, share: number): ServerTraffic {
    const key = `${source.side} ${source.serverId} ${share}`
    const known = this.#servers.get(key)
    if (known !== undefined) return known
    const server = new ServerTraffic({
      source,
      bounds: this.#bounds,
      usage: this.#usage,
      removed: (row) => {
        this.#store.dropped(row)
      },
      fold: (connection, frame, value) => {
        this.#folder.fold(connection, frame, this.#contentOf(frame, value))
      },
    })
    this.#servers.set(key, server)
    return server
  }

  #frame(seq: number): StoredFrame | undefined {
    for (const server of this.#servers.values()) {
      const frame = server.frame(seq)
      if (frame !== undefined) return frame
    }
    return undefined
  }

  #rowFor(bytes: Uint8Array): Row | undefined {
    const seq = this.#numberOf.get(bytes)
    if (seq === undefined) return undefined
    for (const server of this.#servers.values()) {
      if (!server.has(seq)) continue
      // Rows of one server do not depend on those of others.
      while (server.nextSeq <= seq) this.#foldNext(server)
      return server.rowOf(seq)
    }
    return undefined
  }

  #record(server: ServerTraffic, connection: Connection, frame: Frame): void {
    const isWatched = this.#changes.size > 0
    // Only what a client received is looked up by its bytes.
    if (connection.source.side === 'client' && frame.direction === 'received')
      this.#numberOf.set(frame.bytes, this.#end)
    const value = isWatched && 'parsed' in frame ? frame.parsed : undefined
    server.add(this.#end, connection, TIME_ORIGIN + performance.now(), frame, value)
    this.#end += 1
    this.#keepBounds()
    if (isWatched && !this.#scheduled) this.#schedule()
  }

  #recordLines(server: ServerTraffic, connection: Connection, lines: MessageLines): void {
    if (this.#changes.size > 0 || connection.source.side === 'client') {
      for (let index = 0; index < lines.ends.length; index += 1)
        this.#record(server, connection, frameOf(lines, index))
      return
    }
    server.addLines(this.#end, connection, TIME_ORIGIN + performance.now(), lines)
    this.#end += lines.ends.length
    this.#keepBounds()
  }

  #keepBounds(): void {
    if (this.#usage.cost > this.#bounds.frameBytes || this.#usage.rows > this.#bounds.rows) this.#makeRoom()
  }

  /** The server that stores the most loses its oldest frames. */
  #makeRoom(): void {
    this.#changed = true
    for (;;) {
      const isCost = this.#usage.cost > this.#bounds.frameBytes
      if (!isCost && this.#usage.rows <= this.#bounds.rows) return
      let largest: ServerTraffic | undefined
      let most = -1
      for (const server of this.#servers.values()) {
        const size = isCost ? server.cost : server.rows.size
        if (size <= most) continue
        largest = server
        most = size
      }
      if (largest?.dropOldest() !== true) return
    }
  }

  #schedule(): void {
    this.#scheduled = true
    const wait = this.#flushedAt + FLUSH_MS - performance.now()
    if (wait <= 0) setImmediate(this.#work)
    else setTimeout(this.#work, wait).unref()
  }

  /** Folds for a slice of time, notifies the listeners, and continues later if something is left. */
  readonly #work = (): void => {
    this.#scheduled = false
    this.#fold(SLICE_MS)
    this.#clearIfFolded()
    const isFolded = this.#isFolded
    if (isFolded || performance.now() - this.#flushedAt >= FLUSH_MS) this.#notify()
    if (!isFolded && this.#changes.size > 0) {
      this.#scheduled = true
      setImmediate(this.#work)
    }
  }

  get #isFolded(): boolean {
    return this.#nextSeq === Infinity
  }

  /** The number of the oldest frame that is not folded; Infinity if all are. */
  get #nextSeq(): number {
    let next = Infinity
    for (const server of this.#servers.values()) next = Math.min(next, server.nextSeq)
    return next
  }

  /** Folds frames of all servers in the order in which they came. */
  #fold(sliceMs: number): void {
    const end = performance.now() + sliceMs
    for (;;) {
      let oldest: ServerTraffic | undefined
      let seq = Infinity
      let after = Infinity
      for (const server of this.#servers.values()) {
        const { nextSeq } = server
        if (nextSeq < seq) {
          after = seq
          seq = nextSeq
          oldest = server
        } else after = Math.min(after, nextSeq)
      }
      if (oldest === undefined) return
      while (oldest.nextSeq < after) {
        this.#foldNext(oldest)
        if (performance.now() >= end) return
      }
    }
  }

  #foldNext(server: ServerTraffic): void {
    this.#changed = true
    server.foldNext()
    this.#keepBounds()
  }

  #contentOf(frame: StoredFrame, value: unknown): Content {
    if (frame.kind !== 'message') return NO_MESSAGE
    if (value !== undefined) return { readable: true, value }
    const parsed = parseMessage(frame.bytes, this.#limits)
    return parsed.ok
      ? { readable: true, value: parsed.value }
      : { readable: false, reason: parsed.error.message }
  }

  #notify(): void {
    this.#flushedAt = performance.now()
    if (!this.#changed) return
    this.#changed = false
    const cleared = this.#cleared
    this.#cleared = false
    if (this.#changes.size === 0) return
    const { rows, removed } = this.#store.takeChanges(this.#nextSeq)
    const change = { cleared, rows, removed, counts: this.counts() }
    this.#changes.emit(change)
  }

  /** Rows that frames before that number started, in time order. */
  #rowsBefore(seq: number): Row[] {
    const rows: Row[] = []
    for (const server of this.#servers.values()) {
      for (const row of server.rows.stored()) if (startedBefore(row, seq)) rows.push(row)
    }
    return rows.sort(byStart)
  }
}
