const FREE = 0
const GONE = -1
const SCATTER = 0x9e3779b1

/**
 * Places by key and owner, for one look after the other at thousands of frames: its memory is taken once, and nothing
 * in it is for the garbage collector.
 */
export class OpenPlaces<Owner extends object> {
  readonly #shift: number
  readonly #keys: Float64Array
  /** The number of the slot's owner. */
  readonly #owners: Int32Array
  readonly #places: Int32Array
  readonly #numbers = new Map<Owner, number>()
  /** Most frames in a row are of one owner. */
  #last: Owner | undefined
  #lastNumber = FREE
  #size = 0

  /** `most`: how many keys are set between two times that it is cleared, at most. */
  constructor(most: number) {
    const bits = Math.max(1, Math.ceil(Math.log2(most)) + 1)
    this.#shift = 32 - bits
    this.#keys = new Float64Array(2 ** bits)
    this.#owners = new Int32Array(2 ** bits)
    this.#places = new Int32Array(2 ** bits)
  }

  get size(): number {
    return this.#size
  }

  /** -1 if there is none. */
  get(owner: Owner, key: number): number {
    const slot = this.#slotOf(this.#numberOf(owner), key)
    return this.#owners[slot] === FREE ? GONE : (this.#places[slot] ?? GONE)
  }

  /** Replaces the place that stands under that key. */
  set(owner: Owner, key: number, place: number): void {
    const number = this.#numberOf(owner)
    const slot = this.#slotOf(number, key)
    if (this.#owners[slot] === FREE || this.#places[slot] === GONE) this.#size += 1
    this.#owners[slot] = number
    this.#keys[slot] = key
    this.#places[slot] = place
  }

  delete(owner: Owner, key: number): void {
    const slot = this.#slotOf(this.#numberOf(owner), key)
    if (this.#owners[slot] === FREE || this.#places[slot] === GONE) return
    this.#places[slot] = GONE
    this.#size -= 1
  }

  clear(): void {
    this.#owners.fill(FREE)
    this.#numbers.clear()
    this.#last = undefined
    this.#size = 0
  }

  #numberOf(owner: Owner): number {
    if (owner === this.#last) return this.#lastNumber
    let number = this.#numbers.get(owner)
    if (number === undefined) {
      number = this.#numbers.size + 1
      this.#numbers.set(owner, number)
    }
    this.#last = owner
    this.#lastNumber = number
    return number
  }

  /** The slot of the key, or the free one where it would stand. */
  #slotOf(number: number, key: number): number {
    const mask = this.#keys.length - 1
    let slot = Math.imul((key | 0) + Math.imul(number, SCATTER), SCATTER) >>> this.#shift
    while (this.#owners[slot] !== FREE && (this.#owners[slot] !== number || this.#keys[slot] !== key)) {
      slot = (slot + 1) & mask
    }
    return slot
  }
}
