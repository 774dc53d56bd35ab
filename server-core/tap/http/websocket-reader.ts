/** Longer messages are not recorded. */
const LONGEST_MESSAGE = 64 * 1024 * 1024
const FIRST_HEAD = 2
const MASK_BYTES = 4
const TEXT = 1
const BINARY = 2
const CONTINUATION = 0
const FIN = 0x80

/** What a reader finds. `bytes` are those that came: frames with their heads. */
export type WebSocketReaderPorts = {
  readonly message: (message: Buffer, bytes: Buffer) => void
  /** Frames without a message: pings, the end, and what cannot be read. */
  readonly other?: (bytes: Buffer) => void
}

/** Reads the messages of one direction of a WebSocket (RFC 6455) while its bytes pass. Without extensions. */
export class WebSocketReader {
  readonly #ports: WebSocketReaderPorts
  #pending: Buffer = Buffer.alloc(0)
  #parts: Buffer[] = []
  /** The frames of the message that is not complete. */
  #frames: Buffer[] = []
  #length = 0
  /** Bytes of a frame that is too long to keep. */
  #skip = 0
  #isBroken = false

  constructor(ports: WebSocketReaderPorts) {
    this.#ports = ports
  }

  push(chunk: Buffer): void {
    if (this.#isBroken) {
      this.#ports.other?.(chunk)
      return
    }
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    while (this.#frame());
  }

  /** Reads the next frame. Returns false if it is not complete. */
  #frame(): boolean {
    if (this.#skip > 0) {
      const skipped = Math.min(this.#skip, this.#pending.length)
      this.#skip -= skipped
      this.#ports.other?.(this.#pending.subarray(0, skipped))
      this.#pending = this.#pending.subarray(skipped)
      return this.#skip === 0 && this.#pending.length > 0
    }
    const bytes = this.#pending
    if (bytes.length < FIRST_HEAD) return false
    const [first = 0, second = 0] = bytes
    const short = second & 0x7f
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0
    const isMasked = (second & 0x80) !== 0
    const head = FIRST_HEAD + lengthBytes + (isMasked ? MASK_BYTES : 0)
    if (bytes.length < head) return false
    const length =
      lengthBytes === 2 ? bytes.readUInt16BE(2) : lengthBytes === 8 ? Number(bytes.readBigUInt64BE(2)) : short
    if (length > LONGEST_MESSAGE) {
      this.#giveOut()
      this.#skip = head + length
      return true
    }
    if (bytes.length < head + length) return false
    const payload = Buffer.from(bytes.subarray(head, head + length))
    if (isMasked) unmask(payload, bytes.subarray(head - MASK_BYTES, head))
    this.#pending = bytes.subarray(head + length)
    this.#take(first, payload, bytes.subarray(0, head + length))
    return !this.#isBroken
  }

  #take(first: number, payload: Buffer, frame: Buffer): void {
    const opcode = first & 0x0f
    // Extensions, which nobody agreed on, would change what the bytes mean.
    if ((first & 0x70) !== 0) {
      this.#isBroken = true
      this.#giveOut()
      this.#ports.other?.(Buffer.concat([frame, this.#pending]))
      return
    }
    if (opcode !== TEXT && opcode !== BINARY && opcode !== CONTINUATION) {
      this.#ports.other?.(frame)
      return
    }
    this.#length += payload.length
    if (this.#length <= LONGEST_MESSAGE) this.#parts.push(payload)
    if (this.#ports.other !== undefined) this.#frames.push(frame)
    if ((first & FIN) === 0) return
    const message = Buffer.concat(this.#parts)
    const frames = Buffer.concat(this.#frames)
    this.#parts = []
    this.#frames = []
    this.#length = 0
    this.#ports.message(message, frames)
  }

  /** The frames of a message that cannot be kept whole go on as they are. */
  #giveOut(): void {
    for (const frame of this.#frames.splice(0)) this.#ports.other?.(frame)
  }
}

/** A text message as one frame. What a client sends is masked. */
export function webSocketFrame(message: Buffer, isMasked: boolean): Buffer {
  const { length } = message
  const lengthBytes = length < 126 ? 0 : length < 0x1_00_00 ? 2 : 8
  const head = Buffer.alloc(FIRST_HEAD + lengthBytes + (isMasked ? MASK_BYTES : 0))
  head[0] = FIN | TEXT
  head[1] = (isMasked ? 0x80 : 0) | (lengthBytes === 0 ? length : lengthBytes === 2 ? 126 : 127)
  if (lengthBytes === 2) head.writeUInt16BE(length, FIRST_HEAD)
  if (lengthBytes === 8) head.writeBigUInt64BE(BigInt(length), FIRST_HEAD)
  // A mask of zeros leaves the bytes as they are; nothing here depends on a random one.
  return Buffer.concat([head, message])
}

function unmask(payload: Buffer, mask: Buffer): void {
  for (let index = 0; index < payload.length; index += 1)
    payload[index] = (payload[index] ?? 0) ^ (mask[index % MASK_BYTES] ?? 0)
}
