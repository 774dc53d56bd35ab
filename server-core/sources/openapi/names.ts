import { createHash } from 'node:crypto'
import type { Operation } from './operation.ts'

/** Characters of a name that every client takes. */
const LONGEST = 64

/** Names for operations that are valid, unique and stay what they are as long as the document has the operations. */
export class OperationNames {
  readonly #taken = new Set<string>()
  readonly #most: number

  /** @param prefixed characters that come before each name */
  constructor(prefixed: number) {
    this.#most = Math.max(16, LONGEST - prefixed)
  }

  /** A name that none of those before has: as given, else by its operationId, else by method and path. */
  name({ operationId, method, path }: Operation, given: string | undefined): string {
    const wanted = given ?? operationId ?? `${method} ${path.replaceAll(/\{([^{}]*)\}/g, 'by $1')}`
    const plain = wanted.replaceAll(/[^A-Za-z0-9_.-]+/g, '_').replace(/^_+|_+$/g, '') || method
    const short = plain.length <= this.#most ? plain : shortened(plain, this.#most)
    let name = short
    for (let at = 2; this.#taken.has(name); at += 1) name = `${short.slice(0, this.#most - 4)}_${at}`
    this.#taken.add(name)
    return name
  }
}

function shortened(name: string, most: number): string {
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${name.slice(0, most - 9)}_${mark}`
}
