import { createHash, randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/** One frame as it came from the server. */
export type RawFrame = {
  readonly fin: boolean
  readonly reserved: number
  readonly opcode: number
  readonly masked: boolean
  readonly payload: Buffer
}

export const Opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

export type FrameParts = {
  readonly opcode: number
  readonly payload?: Uint8Array | string
  readonly fin?: boolean
  /** RSV1 is 4, RSV2 is 2, RSV3 is 1. */
  readonly reserved?: number
  readonly masked?: boolean
  /** The length that the frame claims, in place of its own. */
  readonly claimedLength?: number
}

/** The bytes of one frame from a client (RFC 6455, 5.2), however wrong. */
export function clientFrame(parts: FrameParts): Buffer {
  const { opcode, fin = true, reserved = 0, masked = true } = parts
  const payload = Buffer.from(parts.payload ?? '')
  const length = parts.claimedLength ?? payload.length
  const head = [(fin ? 0x80 : 0) | (reserved << 4) | opcode]
  const mask = masked ? 0x80 : 0
  if (length < 126) head.push(mask | length)
  else if (length < 0x1_0000) head.push(mask | 126, length >> 8, length & 0xff)
  else {
    const long = Buffer.alloc(8)
    long.writeBigUInt64BE(BigInt(length))
    head.push(mask | 127, ...long)
  }
  if (!masked) return Buffer.concat([Buffer.from(head), payload])
  const key = randomBytes(4)
  const hidden = Buffer.from(payload.map((byte, index) => byte ^ (key[index % 4] ?? 0)))
  return Buffer.concat([Buffer.from(head), key, hidden])
}

/** The payload of a closing frame. */
export function closing(code: number, reason: string | Uint8Array = ''): Buffer {
  const head = Buffer.alloc(2)
  head.writeUInt16BE(code)
  return Buffer.concat([head, Buffer.from(reason)])
}

export type Upgrade = {
  readonly path?: string
  readonly method?: string
  readonly version?: string
  /** Headers instead of, or beside, the usual ones; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>
}

/** A WebSocket client that sends and shows raw frames, and does nothing by itself. */
export class RawWebSocket {
  readonly frames: RawFrame[] = []
  /** Resolves when the server has ended the connection. */
  readonly ended: Promise<void>
  readonly socket: Socket
  status = 0
  head = ''
  /** The body of a refusal. */
  body = ''
  #bytes: Buffer = Buffer.alloc(0)
  readonly #waiting = new Set<() => void>()
  #isOver = false
  readonly #key = randomBytes(16).toString('base64')

  private constructor(port: number) {
    this.socket = connect(port, '127.0.0.1')
    this.socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk])
      this.#read()
      this.#wake()
    })
    this.socket.on('error', () => undefined)
    this.ended = new Promise((resolve) => {
      this.socket.on('close', () => {
        this.#isOver = true
        resolve()
        this.#wake()
      })
    })
  }

  /** Sends the handshake, and waits for the answer to it. */
  static async open(port: number, upgrade: Upgrade = {}): Promise<RawWebSocket> {
    const client = new RawWebSocket(port)
    const { path = '/ws', method = 'GET', version = '1.1' } = upgrade
    const headers: Readonly<Record<string, string | undefined>> = {
      Host: `127.0.0.1:${port}`,
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': client.#key,
      'Sec-WebSocket-Protocol': 'mcp',
      ...upgrade.headers,
    }
    const lines = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}: ${value}`],
    )
    client.socket.write(`${method} ${path} HTTP/${version}\r\n${lines.join('\r\n')}\r\n\r\n`)
    await client.until(() => client.status !== 0)
    if (client.status === 101) return client
    // A refusal may keep the connection, so its body is as long as it says.
    const length = Number(client.header('content-length') ?? 0)
    await client.until(() => client.#isOver || client.#bytes.length >= length)
    client.body = client.#bytes.toString()
    return client
  }

  header(name: string): string | undefined {
    return new RegExp(`^${name}: (.*)$`, 'im').exec(this.head)?.[1]?.trim()
  }

  /** Whether the server proved that it understood the handshake. */
  get isAccepted(): boolean {
    const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
    const expected = createHash('sha1')
      .update(this.#key + guid)
      .digest('base64')
    return this.header('sec-websocket-accept') === expected
  }

  send(...frames: FrameParts[]): void {
    this.socket.write(Buffer.concat(frames.map(clientFrame)))
  }

  sendMessage(message: unknown): void {
    this.send({ opcode: Opcode.text, payload: JSON.stringify(message) })
  }

  /** The text messages so far, fragments joined. */
  get texts(): string[] {
    const texts: string[] = []
    let parts: Buffer[] = []
    for (const { opcode, payload, fin } of this.frames) {
      if (opcode > Opcode.binary) continue
      parts.push(payload)
      if (!fin) continue
      texts.push(Buffer.concat(parts).toString())
      parts = []
    }
    return texts
  }

  get messages(): Record<string, unknown>[] {
    return this.texts.map((text) => JSON.parse(text) as Record<string, unknown>)
  }

  /** The code of the server's closing frame, or why there is none. */
  async closeCode(): Promise<number | 'none' | 'empty'> {
    await this.until(() => this.#isOver || this.frames.some(({ opcode }) => opcode === Opcode.close))
    const frame = this.frames.find(({ opcode }) => opcode === Opcode.close)
    if (frame === undefined) return 'none'
    return frame.payload.length < 2 ? 'empty' : frame.payload.readUInt16BE()
  }

  get closeReason(): string {
    return (
      this.frames
        .find(({ opcode }) => opcode === Opcode.close)
        ?.payload.subarray(2)
        .toString() ?? ''
    )
  }

  /** Resolves with the first message that fits; rejects if the connection ends before. */
  async seen(fits: (message: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    await this.until(() => this.#isOver || this.messages.some(fits))
    const found = this.messages.find(fits)
    if (found === undefined) throw new Error(`the connection ended with ${this.texts.join('\n')}`)
    return found
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiting.add(resolve))
  }

  drop(): void {
    this.socket.destroy()
  }

  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const resolve of waiting) resolve()
  }

  #read(): void {
    if (this.status === 0) {
      const end = this.#bytes.indexOf('\r\n\r\n')
      if (end === -1) return
      this.head = this.#bytes.toString('latin1', 0, end)
      this.#bytes = this.#bytes.subarray(end + 4)
      this.status = Number(/^HTTP\/1\.1 (\d+)/.exec(this.head)?.[1])
    }
    if (this.status !== 101) return
    for (let frame = this.#frame(); frame !== undefined; frame = this.#frame()) this.frames.push(frame)
  }

  #frame(): RawFrame | undefined {
    const bytes = this.#bytes
    const [first = 0, second = 0] = bytes
    if (bytes.length < 2) return undefined
    const short = second & 0x7f
    const head = short === 126 ? 4 : short === 127 ? 10 : 2
    if (bytes.length < head) return undefined
    const length =
      short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
    if (bytes.length < head + length) return undefined
    this.#bytes = bytes.subarray(head + length)
    return {
      fin: (first & 0x80) !== 0,
      reserved: (first >> 4) & 7,
      opcode: first & 0xf,
      masked: (second & 0x80) !== 0,
      payload: bytes.subarray(head, head + length),
    }
  }
}
