import { limitsOf, type Limits } from '../../protocol/limits.ts'
import type { JsonRpcMessage } from '../../protocol/messages.ts'
import { parseMessage } from '../../protocol/parse.ts'
import type { ClientAuthorization } from '../../ports/client-authorization.ts'
import { TurnBudget } from '../../processes/turn-budget.ts'
import { lowerCased } from '../http/client-headers.ts'
import {
  TransportError,
  type ClientReceiver,
  type ClientTransport,
  type RawOptions,
  type RawOutcome,
  type TransportErrorCode,
  type TransportEvidence,
} from '../../ports/contract.ts'
import { encodeMessage } from '../../ports/encode-message.ts'
import { networkTarget } from '../http/network-target.ts'
import { Outgoing } from '../outgoing.ts'
import { rawFrame } from '../../ports/raw-frame.ts'
import { NO_TAP, type Tap } from '../../ports/tap.ts'
import { closeFailure } from './websocket-close.ts'
import { maskedFrames } from './websocket-frame.ts'
import { openWebSocket, type OpenSocket } from './websocket-handshake.ts'

export type WebSocketOptions = {
  /** A ws:// or wss:// address. */
  readonly url: string
  /** Sent with the handshake. */
  readonly headers?: Readonly<Record<string, string>>
  readonly authorization?: ClientAuthorization
  readonly tap?: Tap
  /** Default for those that are missing; `RangeError` for an invalid one. */
  readonly limits?: Partial<Limits>
}

/** How long the server may take to answer our close. */
const CLOSE_TIMEOUT_MS = 2_000
/** How often a stalled reader and a silent peer are looked for, at most. */
const CLOCK_MS = 1_000
const NORMAL_CLOSURE = 1000
const NO_BYTES = new Uint8Array()

/**
 * A server behind a WebSocket with the subprotocol `mcp` (a custom transport: no revision defines it): the semantics
 * of stdio, one JSON message a text message, in both eras.
 */
export function webSocketTransport(options: WebSocketOptions): ClientTransport {
  return new WebSocketClient(options)
}

class WebSocketClient implements ClientTransport {
  readonly kind = 'websocket'
  readonly #options: WebSocketOptions
  readonly #limits: Limits
  readonly #tap: Tap
  readonly #opening = new AbortController()
  readonly #outgoing: Outgoing
  #isUsed = false
  #open: OpenSocket | undefined
  #receiver: ClientReceiver | undefined
  /** What this turn of the event loop has to send. */
  #turn: Buffer[] = []
  #turnBytes = 0
  /** Who waits until a slow reader has taken everything. */
  #drains: (() => void)[] = []
  #clock: NodeJS.Timeout | undefined
  #seenAt = 0
  #pingedAt: number | undefined
  #fault: unknown
  #end: TransportError | undefined
  readonly #closed = Promise.withResolvers<void>()

  constructor(options: WebSocketOptions) {
    this.#options = options
    this.#limits = limitsOf(options.limits)
    this.#tap = options.tap ?? NO_TAP
    const target = { write: (bytes: Uint8Array) => this.#open?.stream.write(bytes) ?? true }
    this.#outgoing = new Outgoing(target, this.#limits, (reason) => {
      this.#cut('stalled', `the server does not read: ${reason}`)
    })
  }

  async start(receiver: ClientReceiver): Promise<void> {
    if (this.#isUsed || this.#end !== undefined) {
      throw new TransportError('closed', 'a transport is used for one connection only; make a new one')
    }
    this.#isUsed = true
    const target = networkTarget(this.#options.url, ['ws:', 'wss:'])
    target.hash = ''
    const open = await openWebSocket({
      target,
      headers: lowerCased(this.#options.headers),
      authorization: this.#options.authorization,
      limits: this.#limits,
      tap: this.#tap,
      signal: this.#opening.signal,
    })
    this.#receiver = receiver
    this.#listen(open)
  }

  send(message: JsonRpcMessage): Promise<void> {
    try {
      const bytes = encodeMessage(message, this.#limits)
      this.#assertOpen()
      this.#tap.record({ kind: 'message', direction: 'sent', bytes, parsed: message })
      return this.#write(maskedFrames(bytes))
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)))
    }
  }

  async sendRaw(bytes: Uint8Array, { frame = 'text' }: RawOptions = {}): Promise<RawOutcome> {
    this.#assertOpen()
    this.#tap.record(rawFrame(bytes, this.#limits))
    await this.#write(maskedFrames(bytes, frame))
    return {}
  }

  async close(): Promise<void> {
    this.#opening.abort()
    this.#isUsed = true
    const error = new TransportError('closed', 'the connection was closed', this.evidence())
    if (this.#open === undefined) {
      this.#end ??= error
      return
    }
    if (this.#end === undefined) {
      this.#flush()
      this.#open.socket.close(NORMAL_CLOSURE)
      this.#finish(error)
    }
    const { socket } = this.#open
    const timer = setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS)
    await this.#closed.promise
    clearTimeout(timer)
  }

  evidence(): TransportEvidence {
    return { url: this.#options.url }
  }

  #assertOpen(): void {
    if (this.#end !== undefined) throw this.#end
    if (this.#open === undefined) throw new TransportError('closed', 'the transport was not started')
  }

  #listen(open: OpenSocket): void {
    const { socket, stream } = open
    this.#open = open
    this.#lifecycle('opened', `a WebSocket to ${this.#options.url} was opened`, 'sent')
    const seen = (): void => {
      this.#seenAt = performance.now()
    }
    seen()
    const turns = new TurnBudget(socket)
    socket.on('message', (data, isBinary) => {
      turns.spend(() => {
        // `ws` passes Buffers unless configured otherwise.
        if (Buffer.isBuffer(data)) this.#read(data, isBinary)
      })
    })
    socket.on('ping', seen)
    socket.on('pong', seen)
    socket.on('error', (error) => {
      this.#fault ??= error
    })
    socket.on('close', (code, reason) => {
      this.#finish(closeFailure(code, reason.toString(), this.#fault, this.#options.url))
      this.#closed.resolve()
    })
    stream.on('drain', () => this.#outgoing.drained())
    const { pingMs, outgoingStallMs } = this.#limits
    this.#clock = setInterval(() => this.#tick(), Math.max(10, Math.min(CLOCK_MS, pingMs, outgoingStallMs)))
    socket.resume()
  }

  #read(bytes: Buffer, isBinary: boolean): void {
    this.#seenAt = performance.now()
    if (this.#end !== undefined) return
    if (isBinary) {
      this.#invalid(bytes, 'a binary message; messages are text')
      return
    }
    const parsed = parseMessage(bytes, this.#limits)
    if (!parsed.ok) {
      this.#invalid(bytes, parsed.error.message)
      return
    }
    this.#tap.record({ kind: 'message', direction: 'received', bytes, parsed: parsed.value })
    this.#receiver?.message({ value: parsed.value, bytes })
  }

  #invalid(bytes: Buffer, reason: string): void {
    this.#tap.record({ kind: 'invalid', direction: 'received', bytes, reason })
    this.#receiver?.invalid(bytes, reason)
  }

  /** Messages of one turn of the event loop go out in one write. */
  #write(frames: readonly Buffer[]): Promise<void> {
    if (this.#turn.length === 0) process.nextTick(() => this.#flush())
    for (const frame of frames) {
      this.#turn.push(frame)
      this.#turnBytes += frame.length
    }
    const isSlow = this.#outgoing.stalled || this.#turnBytes > this.#limits.outgoingBufferBytes / 4
    return isSlow ? this.#drained() : HANDED_OVER
  }

  #drained(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#drains.push(() => (this.#end === undefined ? resolve() : reject(this.#end)))
    })
  }

  #flush(): void {
    const frames = this.#turn
    this.#turn = []
    this.#turnBytes = 0
    const [only] = frames
    if (frames.length === 1 && only !== undefined) this.#outgoing.write(only)
    else if (frames.length > 1) this.#outgoing.writeTogether(frames)
    if (this.#drains.length > 0) this.#outgoing.whenEmpty(() => this.#notifyDrained())
  }

  #notifyDrained(): void {
    for (const resume of this.#drains.splice(0)) resume()
  }

  #tick(): void {
    const now = performance.now()
    this.#outgoing.tick(now)
    if (this.#end !== undefined || this.#open === undefined) return
    const { pingMs } = this.#limits
    if (this.#pingedAt !== undefined && this.#seenAt < this.#pingedAt) {
      if (now - this.#pingedAt >= pingMs)
        this.#cut('connection-failed', `the server answered no ping within ${pingMs} ms (limit pingMs)`)
      return
    }
    if (now - Math.max(this.#seenAt, this.#pingedAt ?? 0) < pingMs) return
    this.#pingedAt = now
    this.#open.socket.ping()
  }

  #cut(code: TransportErrorCode, reason: string): void {
    this.#finish(new TransportError(code, reason, this.evidence()))
    this.#open?.socket.terminate()
  }

  /** Reports the end once. */
  #finish(error: TransportError): void {
    if (this.#end !== undefined) return
    this.#end = error
    clearInterval(this.#clock)
    this.#outgoing.stop()
    this.#turn = []
    this.#notifyDrained()
    this.#lifecycle('closed', error.message, error.code === 'closed' ? 'sent' : 'received')
    this.#receiver?.closed(error)
  }

  #lifecycle(event: 'opened' | 'closed', note: string, direction: 'sent' | 'received'): void {
    this.#tap.record({ kind: 'lifecycle', direction, bytes: NO_BYTES, event, note })
  }
}

const HANDED_OVER = Promise.resolve()
