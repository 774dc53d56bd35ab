import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const LEAST_KEY_BYTES = 16

/** A secret of 16 bytes at least, or what gives it when something is sealed or opened for the first time. */
export type SealKey = Uint8Array | (() => Uint8Array | Promise<Uint8Array>)

/**
 * Seals what a client carries from one round to the next (2026-07-28, multi round-trip requests: requestState):
 * it cannot be read, changed, or used for anything else than what it is bound to.
 */
export class StateCipher {
  readonly #given: SealKey | undefined
  #made: Buffer | undefined
  #preparing: Promise<void> | undefined

  /**
   * Throws a `RangeError` if the key has fewer than 16 bytes; where a function gives it, `prepare` does. Without a key a
   * fresh one is made.
   */
  constructor(key: SealKey | undefined) {
    if (key !== undefined && typeof key !== 'function') requireLength(key)
    this.#given = key
  }

  /**
   * Has the key asked for where a function gives it; undefined if it is there. To be awaited before anything is sealed or
   * opened. Rejects with what the function throws; it is asked again then.
   */
  prepare(): Promise<void> | undefined {
    const given = this.#given
    if (this.#made !== undefined || typeof given !== 'function') return undefined
    this.#preparing ??= Promise.resolve()
      .then(given)
      .then((key) => {
        this.#made = keyOf(requireLength(key))
      })
      .finally(() => {
        this.#preparing = undefined
      })
    return this.#preparing
  }

  /** Made at the first use: most servers never seal anything, and start sooner without the cryptography. */
  get #key(): Buffer {
    if (this.#made !== undefined) return this.#made
    if (typeof this.#given === 'function') throw new Error('nothing is sealed or opened before `prepare`')
    this.#made = keyOf(this.#given ?? randomBytes(32))
    return this.#made
  }

  seal(payload: JsonObject, binding: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce)
    cipher.setAAD(Buffer.from(binding))
    const sealed = Buffer.concat([cipher.update(JSON.stringify(payload)), cipher.final()])
    return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')
  }

  /** The payload, or undefined if the text was not sealed here, was changed, or is bound to something else. */
  open(text: string, binding: string): JsonObject | undefined {
    const bytes = Buffer.from(text, 'base64url')
    // Decoding is lenient, the seal is not: one payload has one text.
    if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) return undefined
    const decipher = createDecipheriv(ALGORITHM, this.#key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(binding))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    try {
      const opened = Buffer.concat([
        decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)),
        decipher.final(),
      ])
      const payload: unknown = JSON.parse(opened.toString())
      return isJsonObject(payload) ? payload : undefined
    } catch {
      return undefined
    }
  }
}

function keyOf(secret: Uint8Array): Buffer {
  return createHash('sha256').update(secret).digest()
}

function requireLength(key: Uint8Array): Uint8Array {
  if (key.length >= LEAST_KEY_BYTES) return key
  throw new RangeError(`the seal key needs at least ${LEAST_KEY_BYTES} bytes, got ${key.length}`)
}

/** What a state is bound to: who asks, for what, with which parameters (those that a retry repeats). */
export function bindingOf(caller: string, method: string, params: JsonObject): string {
  const { _meta: _unused, inputResponses: _responses, requestState: _state, ...lasting } = params
  const digest = createHash('sha256')
    .update(JSON.stringify(sorted(lasting)))
    .digest('base64url')
  return JSON.stringify([caller, method, digest])
}

/** Clients may write the members of an object in any order when they repeat it. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  const names = Object.keys(value).sort()
  return names.map((name) => [name, sorted(value[name])])
}
