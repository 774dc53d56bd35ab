import { encodeSseEvent } from './sse-codec.ts'

/** The events of messages. A message that goes to many streams under the same id is encoded once. */
export class MessageEvents {
  #bytes: Uint8Array | undefined
  #id: string | undefined
  #name: string | undefined
  #event: Buffer = Buffer.alloc(0)

  /** The event of a message; neither the message nor the event may be changed. */
  of(bytes: Uint8Array, id: string | undefined, name: string | undefined): Buffer {
    if (bytes === this.#bytes && id === this.#id && name === this.#name) return this.#event
    this.#event = encodeSseEvent({
      data: bytes,
      ...(id === undefined ? {} : { id }),
      ...(name === undefined ? {} : { name }),
    })
    this.#bytes = bytes
    this.#id = id
    this.#name = name
    return this.#event
  }
}
