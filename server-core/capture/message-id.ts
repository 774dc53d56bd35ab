/** Hashes are small integers that are not negative. */
const HASH = 0x3fffffff

/**
 * The id of a request, where it stands: a number, or the bytes of a text as JSON has it between its quotes. One of these
 * serves for many ids, so that looking for them leaves nothing to the garbage collector.
 */
export class MessageId {
  #number = 0
  /** The bytes that contain the text. */
  #bytes: Uint8Array | undefined
  #start = 0
  #end = 0

  /** Makes it this number. */
  setNumber(number: number): void {
    this.#number = number
    this.#bytes = undefined
  }

  /** Sets it to the text at that place. */
  setText(bytes: Uint8Array, start: number, end: number): void {
    this.#bytes = bytes
    this.#start = start
    this.#end = end
  }

  /** A small integer: of equal ids it is the same, of others it may be. Texts have negative ones. */
  get key(): number {
    const bytes = this.#bytes
    if (bytes === undefined) return this.#number | 0
    let hash = 0
    for (let at = this.#start; at < this.#end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
    return -1 - ((hash ^ (hash >>> 15)) & HASH)
  }

  /** Whether it is the same id: 1 is not "1". Of texts that JSON can write in two ways it may say no. */
  equals(other: MessageId): boolean {
    const bytes = this.#bytes
    const others = other.#bytes
    if (bytes === undefined || others === undefined) {
      return bytes === others && this.#number === other.#number
    }
    const length = this.#end - this.#start
    if (other.#end - other.#start !== length) return false
    for (let index = 0; index < length; index += 1) {
      if (bytes[this.#start + index] !== others[other.#start + index]) return false
    }
    return true
  }
}
