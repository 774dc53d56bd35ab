import type { EventSink } from './lazy-reply.ts'
import type { EventWriter } from './stream-monitor.ts'

type StoredEvent = { readonly stream: SessionStream; readonly number: number; readonly bytes: Uint8Array }

/**
 * The events of one legacy session, kept so that a client that lost its connection gets the rest of a stream
 * (2025-11-25, Streamable HTTP: resumability). Bounded in bytes; the oldest go first.
 */
export class EventStore {
  readonly #maxBytes: number
  readonly #events: StoredEvent[] = []
  /** Most sessions have one stream alone. */
  #first: SessionStream | undefined
  #others: Map<string, SessionStream> | undefined
  #bytes = 0
  #opened = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  open(): SessionStream {
    const stream = new SessionStream(String(this.#opened++), this)
    if (this.#opened === 1) this.#first = stream
    else {
      this.#others ??= new Map()
      this.#others.set(stream.id, stream)
    }
    return stream
  }

  /** The stream an event id belongs to and the event's number, if everything after it is still there. */
  find(eventId: string): { readonly stream: SessionStream; readonly after: number } | undefined {
    const match = /^(\d{1,15})-(\d{1,15})$/.exec(eventId)
    const id = match?.[1] ?? ''
    const stream = this.#first?.id === id ? this.#first : this.#others?.get(id)
    const after = Number(match?.[2])
    if (stream === undefined || after < stream.dropped || after > stream.sent) return undefined
    return { stream, after }
  }

  keep(event: StoredEvent): void {
    this.#events.push(event)
    this.#bytes += event.bytes.length
    while (this.#bytes > this.#maxBytes && this.#events.length > 1) {
      const [oldest] = this.#events.splice(0, 1)
      if (oldest === undefined) return
      this.#bytes -= oldest.bytes.length
      oldest.stream.drop(oldest.number)
      if (oldest.stream.ended && oldest.stream.dropped === oldest.stream.sent) {
        this.forget(oldest.stream)
      }
    }
  }

  forget(stream: SessionStream): void {
    if (this.#first === stream) this.#first = undefined
    else this.#others?.delete(stream.id)
  }

  after(stream: SessionStream, number: number): readonly StoredEvent[] {
    return this.#events.filter((event) => event.stream === stream && event.number > number)
  }
}

/** One logical stream of a session. Its connection may end and come back; its events are numbered from 1. */
export class SessionStream implements EventSink {
  readonly id: string
  readonly #store: EventStore
  #writer: EventWriter | undefined
  #sent = 0
  #delivered = 0
  #dropped = 0
  #ended = false

  constructor(id: string, store: EventStore) {
    this.id = id
    this.#store = store
  }

  /** Number of the newest event. */
  get sent(): number {
    return this.#sent
  }

  /** Number of the newest event that is not kept any more. */
  get dropped(): number {
    return this.#dropped
  }

  get ended(): boolean {
    return this.#ended
  }

  get connected(): boolean {
    return this.#writer !== undefined
  }

  /** Writes on that connection from now on, beginning with what came after `after` (else: what nobody was sent). */
  attach(writer: EventWriter, after: number = this.#delivered): void {
    this.#writer?.end()
    this.#writer = writer
    for (const { number, bytes } of this.#store.after(this, after)) writer.send(bytes, this.eventId(number))
    this.#delivered = this.#sent
    if (this.#ended) writer.end()
  }

  detach(writer: EventWriter): void {
    if (this.#writer === writer) this.#writer = undefined
  }

  send(bytes: Uint8Array): void {
    if (this.#ended) return
    this.#sent += 1
    this.#store.keep({ stream: this, number: this.#sent, bytes })
    if (this.#writer === undefined) return
    this.#delivered = this.#sent
    this.#writer.send(bytes, this.eventId(this.#sent))
  }

  /** Begins to send, and breaks the connection: the event is kept for a client that comes back. */
  cut(bytes: Uint8Array): void {
    if (this.#ended) return
    this.#sent += 1
    this.#store.keep({ stream: this, number: this.#sent, bytes })
    this.#writer?.cut(bytes, this.eventId(this.#sent))
    this.#writer = undefined
  }

  /** Breaks the connection: what is sent from now on is kept for a client that comes back. */
  break(): void {
    const writer = this.#writer
    this.#writer = undefined
    writer?.break()
  }

  /** Notes a fault that was made on purpose, where its client is connected. */
  mark(note: string): void {
    this.#writer?.mark(note)
  }

  /** Lets the connection go, after which the client asks for the rest of the stream by its newest event's id. */
  release(retryMs: number | undefined): void {
    const writer = this.#writer
    this.#writer = undefined
    writer?.release(retryMs)
  }

  end(): void {
    this.#ended = true
    if (this.#sent === 0) this.#store.forget(this)
    this.#writer?.end()
  }

  drop(number: number): void {
    this.#dropped = number
  }

  eventId(number: number): string {
    return `${this.id}-${number}`
  }
}
