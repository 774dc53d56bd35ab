/** Longer messages are not recorded. */
const LONGEST_MESSAGE = 64 * 1024 * 1024
const FIRST_HEAD = 2
const MASK_BYTES = 4
const TEXT = 1
const BINARY = 2
const CONTINUATION = 0

/** Reads the messages of one direction of a WebSocket (RFC 6455) while its bytes pass. Without extensions. */
export class WebSocketReader {
  readonly #onMessage: (message: Buffer) => void
  #pending: Buffer = Buffer.alloc(0)
  #parts: Buffer[] = []
  #length = 0
  /** Bytes of a frame that is too long to keep. */
  #skip = 0
  #isBroken = false

  constructor(onMessage: (message: Buffer) => void) {
    this.#onMessage = onMessage
  }

  push(chunk: Buffer): void {
    if (this.#isBroken) return
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    while (this.#frame());
  }

  /** Reads the next frame. Returns false if it is not complete. */
  #frame(): boolean {
    if (this.#skip > 0) {
      const skipped = Math.min(this.#skip, this.#pending.length)
      this.#skip -= skipped
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
      this.#skip = head + length
      return true
    }
    if (bytes.length < head + length) return false
    const payload = Buffer.from(bytes.subarray(head, head + length))
    if (isMasked) unmask(payload, bytes.subarray(head - MASK_BYTES, head))
    this.#pending = bytes.subarray(head + length)
    this.#take(first, payload)
    return !this.#isBroken
  }

  #take(first: number, payload: Buffer): void {
    const opcode = first & 0x0f
    // Extensions, which nobody agreed on, would change what the bytes mean.
    if ((first & 0x70) !== 0) this.#isBroken = true
    if (opcode !== TEXT && opcode !== BINARY && opcode !== CONTINUATION) return
    this.#length += payload.length
    if (this.#length <= LONGEST_MESSAGE) this.#parts.push(payload)
    if ((first & 0x80) === 0) return
    const message = Buffer.concat(this.#parts)
    this.#parts = []
    this.#length = 0
    this.#onMessage(message)
  }
}

function unmask(payload: Buffer, mask: Buffer): void {
  for (let index = 0; index < payload.length; index += 1)
    payload[index] = (payload[index] ?? 0) ^ (mask[index % MASK_BYTES] ?? 0)
}
