import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import { Stopped } from '../examination.ts'
import { parsedOf } from '../frames/parsed-value.ts'
import { ProbeConnection, type ConnectionParts, type SendOptions, type Sent } from './connection.ts'
import { sentFrame } from './stdio-connection.ts'

const SUBPROTOCOL = 'mcp'
const OPENING_MS = 10_000

/** One WebSocket frame, right or wrong. */
export type RawFrame = {
  readonly opcode: number
  readonly payload?: Uint8Array | string
  /** True unless given. */
  readonly fin?: boolean
  /** True unless given; servers must refuse frames without a mask. */
  readonly masked?: boolean
  /** The three reserved bits. */
  readonly reserved?: number
}

export type WebSocketParts = ConnectionParts & {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** One WebSocket (community binding): one message a text message. */
export class WebSocketConnection extends ProbeConnection {
  readonly transport = 'websocket'
  /** The code and reason that the server closed with. */
  closeCode: number | undefined
  closeReason = ''
  readonly #parts: WebSocketParts
  #socket: WebSocket | undefined
  #stream: Socket | undefined

  constructor(parts: WebSocketParts) {
    super('websocket', parts)
    this.#parts = parts
  }

  get url(): string {
    return this.#parts.url
  }

  open(): Promise<void> {
    const { url, headers } = this.#parts
    const socket = new WebSocket(url, SUBPROTOCOL, {
      headers: { ...headers, ...this.options.headers },
      perMessageDeflate: false,
      handshakeTimeout: OPENING_MS,
      maxPayload: 128 * 1024 * 1024,
      // Bytes that are not UTF-8 are kept as a frame; that they are wrong is a matter of one check.
      skipUTF8Validation: true,
    })
    this.#socket = socket
    socket.on('upgrade', (response) => {
      this.#stream = response.socket
    })
    socket.on('message', (data, isBinary) => {
      const bytes = Buffer.isBuffer(data) ? data : Buffer.from([])
      const parsed = isBinary ? { ok: false as const } : parsedOf(bytes)
      const frame = this.parts.log.record(this.captured, {
        from: 'server',
        bytes,
        ...(parsed.ok
          ? { kind: 'message', value: parsed.value }
          : { kind: 'invalid', reason: isBinary ? 'a binary message' : 'a text message that is not JSON' }),
      })
      this.inbox.add(frame)
    })
    socket.on('close', (code, reason) => {
      this.closeCode = code
      this.closeReason = reason.toString()
      this.ended(`closed with ${code}${this.closeReason === '' ? '' : `: ${this.closeReason}`}`)
    })
    return new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', (error) => {
        reject(new Stopped('inconclusive', `the WebSocket could not be opened: ${error.message}`))
      })
      socket.on('error', () => undefined)
    })
  }

  /** Writes one frame as it is. */
  sendFrame({ opcode, payload = '', fin = true, masked = true, reserved = 0 }: RawFrame): void {
    const body = Buffer.from(payload)
    const first = (fin ? 0x80 : 0) | (reserved << 4) | opcode
    const length = lengthBytes(body.length, masked)
    if (!masked) {
      this.#stream?.write(Buffer.concat([Buffer.of(first), length, body]))
      return
    }
    const mask = randomBytes(4)
    for (let index = 0; index < body.length; index += 1) {
      body[index] = (body[index] ?? 0) ^ (mask[index % 4] ?? 0)
    }
    this.#stream?.write(Buffer.concat([Buffer.of(first), length, mask, body]))
  }

  /** Sends a ping and resolves with whether the pong came in time. */
  async ping(): Promise<boolean> {
    const socket = this.#socket
    if (socket === undefined) return false
    const pong = new Promise<boolean>((resolve) => socket.once('pong', () => resolve(true)))
    socket.ping('patchbay')
    const { answerMs } = this.parts.waits()
    return Promise.race([pong, new Promise<boolean>((resolve) => setTimeout(resolve, answerMs, false))])
  }

  /** Starts the closing handshake and waits for its end. */
  async closeWith(code: number, reason = ''): Promise<void> {
    this.#socket?.close(code, reason)
    await this.closed
  }

  async close(): Promise<void> {
    const socket = this.#socket
    if (socket === undefined || socket.readyState === WebSocket.CLOSED) return
    socket.close(1000)
    const cut = setTimeout(() => {
      socket.terminate()
    }, 500)
    await this.closed
    clearTimeout(cut)
  }

  protected write(bytes: Uint8Array, message: unknown, options: SendOptions): Promise<Sent> {
    const frame = this.parts.log.record(this.captured, sentFrame(bytes, message))
    const opcode = options.binary === true ? 0x2 : 0x1
    const cuts = [0, ...(options.splitAt ?? []), bytes.length]
    for (let index = 1; index < cuts.length; index += 1) {
      this.sendFrame({
        opcode: index === 1 ? opcode : 0x0,
        payload: bytes.subarray(cuts[index - 1], cuts[index]),
        fin: index + 1 === cuts.length,
      })
    }
    return Promise.resolve({ frame })
  }
}

/** The length of a frame as RFC 6455 writes it, with the bit that announces a mask. */
function lengthBytes(length: number, masked: boolean): Buffer {
  const bit = masked ? 0x80 : 0
  if (length < 126) return Buffer.of(bit | length)
  if (length < 65_536) {
    const bytes = Buffer.alloc(3, bit | 126)
    bytes.writeUInt16BE(length, 1)
    return bytes
  }
  const bytes = Buffer.alloc(9, bit | 127)
  bytes.writeBigUInt64BE(BigInt(length), 1)
  return bytes
}
