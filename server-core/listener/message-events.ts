import { encodeSseEvent } from '../transports/http/sse-codec.ts'

/** Longer messages are encoded for each stream: the last event stays in memory for as long as no other comes. */
const LONGEST_KEPT = 64 * 1024

/** The events of messages. A message that goes to many streams under the same id is encoded once. */
export class MessageEvents {
  #bytes: Uint8Array | undefined
  #id: string | undefined
  #name: string | undefined
  #event: Buffer = Buffer.alloc(0)

  /** The event of a message; neither the message nor the event may be changed. */
  of(bytes: Uint8Array, id: string | undefined, name: string | undefined): Buffer {
    if (bytes === this.#bytes && id === this.#id && name === this.#name) return this.#event
    const event = encodeSseEvent({
      data: bytes,
      ...(id === undefined ? {} : { id }),
      ...(name === undefined ? {} : { name }),
    })
    if (bytes.length > LONGEST_KEPT) return event
    this.#bytes = bytes
    this.#id = id
    this.#name = name
    this.#event = event
    return event
  }
}
