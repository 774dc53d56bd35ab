import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { BODY_BYTES, FastConnection, type FastPathPort } from './fast-connection.ts'
import type { FastRequest } from './fast-request.ts'
import { KEEP_ALIVE_MS, type FastResponse } from './fast-response.ts'

const SWEEP_MS = 1_000
/** Milliseconds that the rest of a request may take; then node:http waits for it, with its own limits. */
const WAIT_MS = 1_000
/** As node:http does, a connection stays open a little longer than its Keep-Alive field says. */
const IDLE_MS = KEEP_ALIVE_MS + 1_000

/**
 * Answers plain requests over HTTP/1.1 without `node:http`, whose parser, streams and timers are more than half of
 * what a short call costs. It decides nothing: a request in any other form, or any doubt, hands the connection with
 * all its bytes to `node:http`, which keeps it.
 *
 * For listeners that clients reach directly: behind a proxy two parsers that read a head differently are a risk.
 */
export class FastPath implements FastPathPort {
  readonly maxBodyBytes: number
  readonly serve: (request: FastRequest, response: FastResponse) => void
  readonly #connections = new Set<FastConnection>()
  readonly #nativeListener: (socket: Socket) => void
  #timer: NodeJS.Timeout | undefined

  /** `serve` gets each request; its errors are its own. Bodies over `maxBodyBytes` are left to `node:http`. */
  constructor(
    http: Server,
    maxBodyBytes: number,
    serve: (request: FastRequest, response: FastResponse) => void,
  ) {
    this.maxBodyBytes = Math.min(maxBodyBytes, BODY_BYTES)
    this.serve = serve
    const listeners = http.listeners('connection')
    http.removeAllListeners('connection')
    this.#nativeListener = (socket) => {
      for (const each of listeners) each.call(http, socket)
    }
    http.on('connection', (socket: Socket) => {
      this.#connections.add(new FastConnection(socket, this))
      this.#timer ??= setInterval(() => {
        this.#sweep()
      }, SWEEP_MS).unref()
    })
  }

  forget(connection: FastConnection): void {
    this.#connections.delete(connection)
  }

  handOver(socket: Socket, unread: Buffer | undefined): void {
    // Paused, the socket keeps the returned bytes until its new listener is there.
    socket.pause()
    if (unread !== undefined) socket.unshift(unread)
    this.#nativeListener(socket)
    socket.resume()
  }

  /** Closes connections on which nothing is served. */
  closeIdleConnections(): void {
    for (const each of this.#connections) if (each.isIdle) each.socket.destroy()
  }

  closeAllConnections(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    for (const each of this.#connections) each.socket.destroy()
  }

  #sweep(): void {
    if (this.#connections.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    const now = performance.now()
    for (const each of this.#connections) each.tick(now, WAIT_MS, IDLE_MS)
  }
}
