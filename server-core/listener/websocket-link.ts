import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import { classifyMessage, type JsonRpcMessage } from '../protocol/messages.ts'
import { parseFromClient } from '../protocol/parse.ts'
import type { LinkReceiver, ServerLink } from '../ports/contract.ts'
import { bytesOf, type EncodedMessage } from '../ports/encoded-message.ts'
import type { FaultGate, FaultInjector, FaultConnection } from '../ports/fault-port.ts'
import type { StreamMonitor, Ticking } from './stream-monitor.ts'
import { Outgoing } from '../transports/outgoing.ts'
import type { Tap } from '../ports/tap.ts'
import { textFrames } from '../transports/websocket/websocket-frame.ts'

export type WebSocketLinkOptions = {
  readonly socket: WebSocket
  /** The connection under it. */
  readonly stream: Duplex
  readonly tap: Tap
  readonly monitor: StreamMonitor
  readonly faults: FaultGate
  /** When the caller's admission ends, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined
  /** Returns why the caller may not send that message. */
  readonly refuse?: (message: unknown) => string | undefined
}

/** Why a connection is closed (RFC 6455, 7.4.1). */
export const CloseCode = { goingAway: 1001, unsupportedData: 1003, policy: 1008 } as const

/** So many unreadable messages one after another close the connection. */
const UNREADABLE_IN_A_ROW = 10
const NOTHING = new Uint8Array()

/** The links that have something to write in this turn of the event loop. */
let flushing: WebSocketLink[] = []

function flushAll(): void {
  const links = flushing
  flushing = []
  for (const link of links) link.flush()
}

/**
 * The server's side of one WebSocket: stdio's semantics, one JSON message a text message (no revision defines it).
 * Replies of one turn of the event loop are written at once. A reader that does not read, and a peer that answers
 * no ping, is cut off.
 */
export class WebSocketLink implements ServerLink, Ticking {
  readonly kind = 'websocket'
  readonly #socket: WebSocket
  readonly #stream: Duplex
  readonly #tap: Tap
  readonly #monitor: StreamMonitor
  readonly #faults: FaultGate
  readonly #expiresAt: number
  readonly #refuse: ((message: unknown) => string | undefined) | undefined
  readonly #outgoing: Outgoing
  #line: FaultConnection | undefined
  #receiver: LinkReceiver | undefined
  #turn: Buffer[] = []
  #unreadable = 0
  #seenAt = performance.now()
  #pingedAt: number | undefined
  #note: string | undefined
  #isClosing = false

  constructor({ socket, stream, tap, monitor, faults, expiresAt = Infinity, refuse }: WebSocketLinkOptions) {
    this.#socket = socket
    this.#stream = stream
    this.#tap = tap
    this.#monitor = monitor
    this.#faults = faults
    this.#expiresAt = expiresAt
    this.#refuse = refuse
    this.#outgoing = new Outgoing({ write: (bytes) => this.#write(bytes) }, monitor.limits, (reason) => {
      monitor.countCut()
      this.#cut(`the client does not read: ${reason}`)
    })
  }

  start(receiver: LinkReceiver): void {
    this.#receiver = receiver
    const socket = this.#socket
    this.#tap.record(lifecycle('opened', 'a WebSocket was opened'))
    socket.on('message', (data, isBinary) => {
      // `ws` passes Buffers unless configured otherwise.
      if (Buffer.isBuffer(data)) this.#read(data, isBinary)
    })
    const seen = () => {
      this.#seenAt = performance.now()
    }
    socket.on('ping', seen)
    socket.on('pong', seen)
    socket.on('error', (error) => {
      this.#note ??= error.message
    })
    socket.on('close', (code, reason) => {
      this.#closed(code, reason.toString())
    })
    this.#stream.on('drain', () => {
      this.#outgoing.drained()
    })
    this.#monitor.watch(this)
  }

  send(message: JsonRpcMessage): void {
    this.sendEncoded(JSON.stringify(message))
  }

  sendEncoded(message: EncodedMessage): void {
    const bytes = bytesOf(message)
    const { injector } = this.#faults
    if (injector === undefined) this.#put(bytes)
    else this.#faulty(injector).send(bytes)
  }

  #put(bytes: Uint8Array): void {
    if (this.#isClosing || this.#socket.readyState !== this.#socket.OPEN) return
    this.#tap.record({ kind: 'message', direction: 'sent', bytes })
    if (this.#turn.length === 0) {
      if (flushing.length === 0) setImmediate(flushAll)
      flushing.push(this)
    }
    this.#turn.push(...textFrames(bytes))
  }

  /** Writes what the turn has gathered. */
  flush(): void {
    const frames = this.#turn
    if (frames.length === 0) return
    this.#turn = []
    const [only] = frames
    if (frames.length === 1 && only !== undefined) this.#outgoing.write(only)
    else this.#outgoing.writeTogether(frames)
  }

  close(code: number = CloseCode.goingAway, reason = 'the server is shutting down'): Promise<void> {
    this.flush()
    this.#isClosing = true
    return new Promise((resolve) => {
      const socket = this.#socket
      if (socket.readyState === socket.CLOSED) {
        resolve()
        return
      }
      socket.once('close', () => {
        resolve()
      })
      this.#outgoing.whenEmpty(() => {
        socket.close(code, reason)
      })
    })
  }

  /** Ends it without a word. */
  destroy(note: string): void {
    this.#cut(note)
  }

  tick(now: number): void {
    const { pingMs } = this.#monitor.limits
    this.#outgoing.tick(now)
    if (Date.now() >= this.#expiresAt && !this.#isClosing) {
      void this.close(CloseCode.policy, 'the token has expired')
    } else if (this.#pingedAt !== undefined && this.#seenAt >= this.#pingedAt) {
      this.#pingedAt = undefined
    } else if (this.#pingedAt !== undefined && now - this.#pingedAt > pingMs) {
      this.#cut(`the client showed no sign of life for ${pingMs} ms after a ping (limit pingMs)`)
    } else if (this.#pingedAt === undefined && now - this.#seenAt > pingMs) {
      this.#pingedAt = now
      this.#socket.ping()
    }
  }

  #read(bytes: Buffer, isBinary: boolean): void {
    this.#seenAt = performance.now()
    if (this.#isClosing) return
    if (isBinary) {
      this.#invalid(bytes, 'a binary message')
      void this.close(CloseCode.unsupportedData, 'expected messages as text')
      return
    }
    const parsed = parseFromClient(bytes, this.#monitor.limits)
    if (parsed.ok) {
      this.#unreadable = 0
      this.#tap.record({ kind: 'message', direction: 'received', bytes, parsed: parsed.value })
      const refused = this.#refuse?.(parsed.value)
      const { injector } = this.#faults
      if (injector !== undefined) this.#faulty(injector).received(parsed.value)
      if (refused === undefined) this.#receiver?.message(parsed.value)
      else this.#deny(parsed.value, refused)
      return
    }
    this.#invalid(bytes, parsed.error.message)
    this.#receiver?.invalid(parsed.error)
    this.#unreadable += 1
    if (this.#unreadable < UNREADABLE_IN_A_ROW) return
    void this.close(CloseCode.policy, `${UNREADABLE_IN_A_ROW} messages in a row could not be read`)
  }

  #faulty(injector: FaultInjector): FaultConnection {
    return (this.#line ??= injector.line('websocket', {
      pass: (bytes) => {
        this.#put(bytes)
      },
      cut: (bytes) => {
        this.#break(bytes)
      },
      close: () => {
        this.flush()
        this.#cut('closed by a fault')
      },
      mark: (note) => {
        this.#tap.record({ kind: 'fault', direction: 'sent', bytes: Buffer.from(note) })
      },
    }))
  }

  /** Ends the connection in the middle of a message's frame. */
  #break(bytes: Uint8Array): void {
    this.flush()
    this.#isClosing = true
    this.#note ??= 'closed by a fault'
    const frame = Buffer.concat(textFrames(bytes))
    this.#tap.record({ kind: 'invalid', direction: 'sent', bytes, reason: 'broken off by a fault' })
    this.#stream.end(frame.subarray(0, frame.length / 2), () => {
      this.#socket.terminate()
    })
  }

  /** What HTTP says with a status, a WebSocket says with an error. */
  #deny(message: unknown, reason: string): void {
    const classified = classifyMessage(message)
    const error = new ProtocolError(ErrorCode.invalidRequest, reason)
    if (classified.type === 'request') {
      this.send({ jsonrpc: '2.0', id: classified.message.id, error: error.toBody() })
    } else if (classified.type === 'batch') this.#receiver?.invalid(error)
  }

  /** Frames that `ws` writes itself (pongs, its closing frame) come between ours, never inside one. */
  #write(bytes: Uint8Array): boolean {
    // After a closing frame nothing may follow.
    if (this.#socket.readyState !== this.#socket.OPEN) return true
    return this.#stream.write(bytes)
  }

  #invalid(bytes: Buffer, reason: string): void {
    this.#tap.record({ kind: 'invalid', direction: 'received', bytes, reason })
  }

  #cut(note: string): void {
    this.#note ??= note
    this.#socket.terminate()
  }

  #closed(code: number, reason: string): void {
    this.#isClosing = true
    this.#line?.end()
    this.#monitor.forget(this)
    this.#outgoing.stop()
    this.#turn = []
    const said = reason === '' ? `closed with ${code}` : `closed with ${code}: ${reason}`
    this.#tap.record(lifecycle('closed', this.#note ?? said))
    this.#receiver?.closed()
  }
}

function lifecycle(event: 'opened' | 'closed', note: string) {
  return { kind: 'lifecycle', direction: 'received', bytes: NOTHING, event, note } as const
}
