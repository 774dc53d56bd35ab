import type { Server } from 'node:http'

/**
 * Connections that a server drops because it has as many as it may (limit `sockets`): counted, and told about at the
 * first, the second, the fourth and so on, so that a flood of them is not a flood of words.
 */
export class DroppedSockets {
  #count = 0

  /** `tell` takes a sentence about them. */
  constructor(http: Server, max: number, log: (note: string) => void) {
    http.on('drop', () => {
      this.#count += 1
      if ((this.#count & (this.#count - 1)) !== 0) return
      log(`dropped connection ${this.#count}: there are ${max} already (limit sockets)`)
    })
  }

  get count(): number {
    return this.#count
  }
}
