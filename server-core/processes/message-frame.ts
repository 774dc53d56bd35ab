import { DefaultSerializer, deserialize } from 'node:v8'

const LENGTH_BYTES = 4
export const TOKEN_BYTES = 16
const HEAD_BYTES = LENGTH_BYTES + TOKEN_BYTES
const HEAD = Buffer.alloc(HEAD_BYTES)

/**
 * A message as bytes: the length of its body, the token, and the body as V8 serializes it.
 *
 * @throws Error if it cannot be serialized, or its body has more than `maxBytes`
 */
export function frameOf(message: unknown, token: Buffer | undefined, maxBytes = 2 ** 32 - 1): Buffer {
  const serializer = new DefaultSerializer()
  serializer.writeRawBytes(HEAD)
  serializer.writeHeader()
  serializer.writeValue(message)
  const frame = serializer.releaseBuffer()
  const bytes = frame.length - HEAD_BYTES
  if (bytes > maxBytes) throw new RangeError(`The message has ${bytes} bytes; at most ${maxBytes} are sent.`)
  frame.writeUInt32BE(bytes, 0)
  token?.copy(frame, LENGTH_BYTES)
  return frame
}

/** Splits a stream of such bytes into messages, wherever its chunks are cut. */
export class FrameReader {
  readonly #maxBytes: number
  #token: Buffer | undefined
  #chunks: Buffer[] = []
  #bytes = 0
  /** Bytes that must have arrived before looking at them again is of use. */
  #wanted = HEAD_BYTES
  #waitsFor: 'head' | 'body' | undefined

  /**
   * @param token what each message must carry; that of the first message unless given
   * @param maxBytes of one body
   */
  constructor(token?: Buffer, maxBytes = Number.POSITIVE_INFINITY) {
    this.#token = token
    this.#maxBytes = maxBytes
  }

  get token(): Buffer | undefined {
    return this.#token
  }

  /** Which part of a message has arrived incompletely; undefined between two messages. */
  get waitsFor(): 'head' | 'body' | undefined {
    return this.#waitsFor
  }

  /** Passes the messages that a chunk completes to `deliver`. Returns what is wrong with the bytes, as a clause. */
  push(chunk: Buffer, deliver: (message: unknown) => void): string | undefined {
    if (chunk.length === 0) return undefined
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes < this.#wanted) {
      this.#waitsFor ??= 'head'
      return undefined
    }
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks)
    let at = 0
    this.#wanted = HEAD_BYTES
    while (bytes.length - at >= HEAD_BYTES) {
      const fault = this.#headFault(bytes, at)
      if (fault !== undefined) return fault
      const end = at + HEAD_BYTES + bytes.readUInt32BE(at)
      if (bytes.length < end) {
        this.#wanted = end - at
        break
      }
      let message: unknown
      try {
        message = deserialize(bytes.subarray(at + HEAD_BYTES, end))
      } catch {
        return 'sent a message that cannot be deserialized'
      }
      deliver(message)
      at = end
    }
    this.#chunks = at === bytes.length ? [] : [at === 0 ? bytes : bytes.subarray(at)]
    this.#bytes = bytes.length - at
    this.#waitsFor = this.#bytes === 0 ? undefined : this.#wanted === HEAD_BYTES ? 'head' : 'body'
    return undefined
  }

  #headFault(bytes: Buffer, at: number): string | undefined {
    const token = bytes.subarray(at + LENGTH_BYTES, at + HEAD_BYTES)
    this.#token ??= Buffer.from(token)
    if (!this.#token.equals(token)) return 'sent bytes that are not a message'
    const length = bytes.readUInt32BE(at)
    return length > this.#maxBytes
      ? `sent a message of ${length} bytes; at most ${this.#maxBytes} are read`
      : undefined
  }
}
