import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds for which an idle connection is kept, as the Keep-Alive field says. */
export const KEEP_ALIVE_MS = 60_000

const BAD_VALUE = /[^\t\x20-\x7e\x80-\xff]/

/** What a response needs of its connection. */
export interface ResponseConnection {
  readonly socket: Socket
  /** The response was written to its end; with `last` nothing follows it. */
  ended(last: boolean): void
}

type Listener = () => void

/** A response on a connection of the fast path: what the listener uses of a `ServerResponse`. */
export class FastResponse {
  headersSent = false
  writableEnded = false
  readonly #connection: ResponseConnection
  #head: string | undefined
  #chunked = false
  #endsWithConnection = false
  #last = false
  #closed = false
  #onClose: Listener[] = []
  #onDrain: Listener[] = []

  constructor(connection: ResponseConnection) {
    this.#connection = connection
  }

  get destroyed(): boolean {
    return this.#socket.destroyed
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Everything was written and left this process. */
  get writableFinished(): boolean {
    return this.writableEnded && this.#socket.writableLength === 0
  }

  get #socket(): Socket {
    return this.#connection.socket
  }

  on(event: 'close' | 'drain' | 'error', listener: Listener): this {
    if (event === 'close') this.#onClose.push(listener)
    else if (event === 'drain') {
      this.#onDrain.push(listener)
      this.#socket.on('drain', listener)
    }
    // An error needs no listener: a broken connection closes, and that is reported.
    return this
  }

  /** Only for `transfer-encoding`: the body ends with the connection. */
  removeHeader(name: string): void {
    this.#endsWithConnection = name === 'transfer-encoding'
  }

  /** Throws a `TypeError` for a value that no header may have. */
  writeHead(status: number, fields: Readonly<Record<string, string>>): this {
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`
    let hasLength = status === 204 || status === 304
    for (const name in fields) {
      const value = fields[name] ?? ''
      if (BAD_VALUE.test(value)) throw new TypeError(`Header "${name}" has a character that is not allowed`)
      head += `${name}: ${value}\r\n`
      if (name === 'content-length') hasLength = true
      else if (name === 'connection') this.#last = value === 'close'
    }
    this.#chunked = !hasLength && !this.#endsWithConnection
    this.#last ||= !hasLength && this.#endsWithConnection
    head += closingFields(!('connection' in fields) && !this.#last)
    if (this.#chunked) head += 'Transfer-Encoding: chunked\r\n'
    this.#head = `${head}\r\n`
    return this
  }

  flushHeaders(): void {
    if (this.headersSent || this.#head === undefined) return
    this.headersSent = true
    this.#socket.write(this.#head, 'latin1')
    this.#head = undefined
  }

  /** Never needed: a request that expects it is left to `node:http`. */
  writeContinue(): void {}

  /** Returns false when the socket is full; then `drain` follows. */
  write(body: Uint8Array | string, done?: () => void): boolean {
    if (this.writableEnded) return false
    const socket = this.#socket
    if (!this.#chunked) {
      this.flushHeaders()
      return socket.write(body, done)
    }
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    socket.cork()
    this.flushHeaders()
    socket.write(`${bytes.length.toString(16)}\r\n`, 'latin1')
    socket.write(bytes)
    const takesMore = socket.write('\r\n', 'latin1', done)
    socket.uncork()
    return takesMore
  }

  end(body: Uint8Array | string = '', encoding: 'utf8' | 'latin1' = 'utf8'): this {
    if (this.writableEnded) return this
    const socket = this.#socket
    if (typeof body === 'string' && this.#head !== undefined && !this.#chunked) {
      // A head has bytes of ASCII alone unless a field has others, which are characters of latin1.
      if (encoding === 'latin1' || body === '') socket.write(this.#head + body, 'latin1')
      else socket.write(Buffer.concat([Buffer.from(this.#head, 'latin1'), Buffer.from(body)]))
      this.#head = undefined
      this.headersSent = true
    } else {
      socket.cork()
      if (body.length > 0) this.write(body)
      else this.flushHeaders()
      if (this.#chunked) socket.write('0\r\n\r\n', 'latin1')
      socket.uncork()
    }
    this.writableEnded = true
    this.#connection.ended(this.#last)
    return this
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** To be called once: the response is over, or its connection is. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    for (const each of this.#onDrain) this.#socket.off('drain', each)
    const listeners = this.#onClose
    this.#onDrain = []
    this.#onClose = []
    for (const each of listeners) each()
  }
}

let closingText = ''
let dateText = ''
let dateUntil = 0

/** The fields that `node:http` adds at the end of each head. */
function closingFields(keepsAlive: boolean): string {
  const now = Date.now()
  if (now >= dateUntil || now < dateUntil - 1_000) {
    dateText = `Date: ${new Date(now).toUTCString()}\r\n`
    closingText = `${dateText}Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1_000}\r\n`
    dateUntil = now - (now % 1_000) + 1_000
  }
  return keepsAlive ? closingText : dateText
}
