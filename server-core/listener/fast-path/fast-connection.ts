import type { Socket } from 'node:net'
import { FastRequest } from './fast-request.ts'
import { FastResponse, type ResponseConnection } from './fast-response.ts'
import { readPlainHead, type HeadFacts, type PlainHead } from './plain-head.ts'

const HEAD_END = Buffer.from('\r\n\r\n')
/** Longer heads are left to `node:http`, which has a limit of its own. */
const HEAD_BYTES = 8 * 1024
/** Bodies up to so many bytes are collected here. */
export const BODY_BYTES = 64 * 1024
/** How many heads a connection remembers, and up to which length. */
const KEPT_HEADS = 3
const KEPT_HEAD_LENGTH = 1_536
/** How a request begins, or the first bytes of one. */
const REQUEST_START = /^[\r\n]*(?:[A-Z][A-Z-]*(?: |$)|$)/
const START_BYTES = 16
const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'

/** What a connection needs of the fast path. */
export interface FastPathPort {
  /** Bytes of the longest body that is taken. */
  readonly maxBodyBytes: number
  serve(request: FastRequest, response: FastResponse): void
  forget(connection: FastConnection): void
  /** Passes the socket to `node:http` for good, with bytes that have been read from it. */
  handOver(socket: Socket, unread: Buffer | undefined): void
}

/**
 * One connection while every request on it is plain and whole. The first one that is not goes to `node:http` together
 * with its connection.
 */
export class FastConnection implements ResponseConnection {
  readonly socket: Socket
  readonly #path: FastPathPort
  #heads: PlainHead[] = []
  #current: FastResponse | undefined
  /** What was read and not served. */
  #unread: Buffer | undefined
  /** Nothing is served after the current response, or the last one. */
  #isLast = false
  #changedAt: number
  #served = false

  constructor(socket: Socket, path: FastPathPort) {
    this.socket = socket
    this.#path = path
    this.#changedAt = performance.now()
    socket.on('data', this.#onData)
    socket.on('end', this.#onEnd)
    socket.on('error', this.#onError)
    socket.on('close', this.#onClose)
  }

  /** No request is being served, and none has been read in part. */
  get isIdle(): boolean {
    return this.#current === undefined && this.#unread === undefined
  }

  /** Closes a connection that was idle for `idleMs`, and hands over one that keeps the server waiting for `waitMs`. */
  tick(now: number, waitMs: number, idleMs: number): void {
    if (this.#current !== undefined || this.#isLast) return
    const elapsed = now - this.#changedAt
    if (!this.#served || this.#unread !== undefined) {
      if (elapsed > waitMs) this.#handOver(this.#unread)
    } else if (elapsed > idleMs) this.socket.destroy()
  }

  ended(last: boolean): void {
    this.#isLast ||= last
    const response = this.#current
    // Until the next turn the response still counts as open, as one of node:http does.
    process.nextTick(() => {
      this.#finish(response)
    })
  }

  #finish(response: FastResponse | undefined): void {
    this.#current = undefined
    this.#changedAt = performance.now()
    response?.close()
    if (this.#isLast) {
      this.#unread = undefined
      this.#heads = []
      this.socket.resume()
      this.socket.destroySoon()
    } else if (this.socket.writableNeedDrain) {
      this.socket.pause().once('drain', this.#readOn)
    } else this.#readOn()
  }

  /** Goes on with what came while a response was being written. */
  readonly #readOn = (): void => {
    const unread = this.#unread
    this.#unread = undefined
    if (this.socket.isPaused()) this.socket.resume()
    if (unread !== undefined) this.#read(unread)
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#isLast) return
    const unread = this.#unread
    const bytes = unread === undefined ? chunk : Buffer.concat([unread, chunk])
    if (this.#current === undefined && !this.socket.isPaused()) {
      this.#unread = undefined
      this.#read(bytes)
      return
    }
    if (!REQUEST_START.test(bytes.toString('latin1', 0, START_BYTES))) {
      this.#refuse()
      return
    }
    this.#unread = bytes
    if (bytes.length > BODY_BYTES) this.socket.pause()
  }

  #read(bytes: Buffer): void {
    const headEnd = bytes.indexOf(HEAD_END)
    if (headEnd < 0 || headEnd > HEAD_BYTES) {
      this.#handOver(bytes)
      return
    }
    const text = bytes.toString('latin1', 0, headEnd)
    let head: PlainHead | undefined
    let facts: HeadFacts | undefined
    for (const each of this.#heads) {
      facts = each.match(text)
      if (facts === undefined) continue
      head = each
      break
    }
    if (head === undefined) {
      head = readPlainHead(text)
      facts = head?.match(text)
      if (head !== undefined && text.length <= KEPT_HEAD_LENGTH) this.#remember(head)
    }
    if (head === undefined || facts === undefined || facts.bodyLength > this.#path.maxBodyBytes) {
      this.#handOver(bytes)
      return
    }
    const start = headEnd + HEAD_END.length
    const end = start + facts.bodyLength
    // A second request behind the first: node:http answers both, in order.
    if (bytes.length > end) this.#handOver(bytes)
    else if (bytes.length < end) {
      if (this.#unread === undefined) this.#changedAt = performance.now()
      this.#unread = bytes
    } else this.#serve(new FastRequest(head, facts, this.socket, bytes.subarray(start)))
  }

  #remember(head: PlainHead): void {
    this.#heads = [head, ...this.#heads.slice(0, KEPT_HEADS - 1)]
  }

  #serve(request: FastRequest): void {
    this.#served = true
    const response = new FastResponse(this)
    this.#current = response
    this.#path.serve(request, response)
  }

  #handOver(unread: Buffer | undefined): void {
    const { socket } = this
    socket.off('data', this.#onData)
    socket.off('end', this.#onEnd)
    socket.off('error', this.#onError)
    socket.off('close', this.#onClose)
    this.#path.forget(this)
    this.#path.handOver(socket, unread)
  }

  /** The client sends nothing more: as `node:http` does, ends the connection, and refuses a request that was cut off. */
  readonly #onEnd = (): void => {
    if (this.#current === undefined && this.#unread !== undefined) this.#refuse()
    else this.socket.end()
  }

  /** Ends the connection as `node:http` does on bytes that are not HTTP: with a 400 unless a response has begun. */
  #refuse(): void {
    const { socket } = this
    this.#isLast = true
    this.#unread = undefined
    if (socket.writable && this.#current?.headersSent !== true) socket.write(BAD_REQUEST)
    socket.destroySoon()
  }

  readonly #onError = (): void => {
    this.socket.destroy()
  }

  readonly #onClose = (): void => {
    this.#path.forget(this)
    this.#unread = undefined
    this.#current?.close()
  }
}
