import type { RequestId } from './messages.ts'

const FIRST_SLOTS = 16
const MOST_SLOTS = 1_024

/**
 * What is in flight, by request id. It does what a `Map` does, except in order: a Map that fills and empties with each
 * burst of requests is built again many times, and each of its remains keeps alive what was in it until the next full
 * garbage collection. Here consecutive ids have slots of their own, which are cleared and used again.
 */
export class InFlight<T extends object | number> {
  #ids: RequestId[] = []
  #values: (T | undefined)[] = []
  /** Ids that are not integers, and those whose slot is taken. */
  #others: Map<RequestId, T> | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  get(id: RequestId): T | undefined {
    const slot = this.#slotOf(id)
    if (this.#ids[slot] === id) {
      const value = this.#values[slot]
      if (value !== undefined) return value
    }
    return this.#others?.get(id)
  }

  has(id: RequestId): boolean {
    return this.get(id) !== undefined
  }

  /** Puts it there; what had the id is replaced. */
  set(id: RequestId, value: T): void {
    this.delete(id)
    this.#size += 1
    if (this.#values.length === 0) this.#grow(FIRST_SLOTS)
    let slot = this.#slotOf(id)
    while (slot >= 0 && this.#values[slot] !== undefined && this.#values.length < MOST_SLOTS) {
      this.#grow(this.#values.length * 2)
      slot = this.#slotOf(id)
    }
    if (slot < 0 || this.#values[slot] !== undefined) {
      this.#others ??= new Map()
      this.#others.set(id, value)
      return
    }
    this.#ids[slot] = id
    this.#values[slot] = value
  }

  delete(id: RequestId): boolean {
    const slot = this.#slotOf(id)
    if (this.#ids[slot] === id && this.#values[slot] !== undefined) this.#values[slot] = undefined
    else if (this.#others?.delete(id) !== true) return false
    this.#size -= 1
    return true
  }

  /** All of them, in no order. */
  values(): T[] {
    const values = this.#values.filter((value) => value !== undefined)
    return this.#others === undefined ? values : [...values, ...this.#others.values()]
  }

  /** Negative where the id has none. */
  #slotOf(id: RequestId): number {
    return typeof id === 'number' ? id & (this.#values.length - 1) : -1
  }

  /** What stood apart stays there: slots never share. */
  #grow(slots: number): void {
    const ids = this.#ids
    const values = this.#values
    this.#ids = new Array<RequestId>(slots).fill(0)
    this.#values = new Array<T | undefined>(slots).fill(undefined)
    for (const [index, value] of values.entries()) {
      const id = ids[index]
      if (value === undefined || id === undefined) continue
      const slot = this.#slotOf(id)
      this.#ids[slot] = id
      this.#values[slot] = value
    }
  }
}
