import { namesSecret, replaceAddressSecrets } from '../protocol/secret-names.ts'
import type { HttpFacts } from '../ports/tap.ts'
import type { HttpView } from './exchange.ts'

/** What is written in place of a secret. */
export const MASKED_SECRET = '⟨redacted⟩'
/** The same with a character for each byte. */
const BYTES_OF_REPLACEMENT = bytesAsText(MASKED_SECRET)

/** Headers whose value is a secret by what they are for. */
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
])

/** Shorter values would be found in harmless text everywhere. */
const SHORTEST_SECRET = 4

/** Characters of a label, at most. */
const LONGEST_LINE = 200

/** Settings in variables with a secret's name (`AUTH_REQUIRED=true`) that occur in harmless text everywhere. */
const NO_SECRET =
  /^(true|false|null|none|undefined|enabled|disabled|default|required|optional|bearer|basic|[\d.,:-]{1,7})$/i

/** Makes texts, headers and arguments of a peer fit to be shown. */
export type Masking = Pick<Redaction, 'text' | 'headers' | 'member'>

/**
 * Masks secrets in what is shown: the values of headers that carry credentials, and every registered value,
 * anywhere in a text (literally, percent-encoded or escaped as in JSON).
 */
export class Redaction {
  readonly #values = new Map<string, number>()
  /** All spellings of all values, the longest first, so that one that contains another leaves nothing behind. */
  #spellings: readonly string[] = []
  #pattern: RegExp | undefined
  /** Finds the same in bytes of which each is a character. */
  #bytePattern: RegExp | undefined

  /**
   * Registers a secret and gives the function that forgets it. A value registered twice must be forgotten twice.
   * Values of fewer than 4 characters, and words such as `true`, are not looked for.
   */
  register(value: string): () => void {
    if (value.length < SHORTEST_SECRET || NO_SECRET.test(value)) return () => undefined
    const times = this.#values.get(value) ?? 0
    this.#values.set(value, times + 1)
    if (times === 0) this.#prepare()
    let registered = true
    return () => {
      if (!registered) return
      registered = false
      const left = (this.#values.get(value) ?? 1) - 1
      if (left > 0) this.#values.set(value, left)
      else {
        this.#values.delete(value)
        this.#prepare()
      }
    }
  }

  /** A text without the registered values. */
  text(text: string): string {
    return this.#pattern === undefined ? text : text.replace(this.#pattern, MASKED_SECRET)
  }

  /** Bytes of any kind without the registered values; the very same if there are none in them. */
  bytes(bytes: Uint8Array): Uint8Array {
    if (this.#bytePattern === undefined) return bytes
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    const clean = text.replace(this.#bytePattern, BYTES_OF_REPLACEMENT)
    return clean === text ? bytes : Buffer.from(clean, 'latin1')
  }

  /** A shortened line without the registered values; where it was cut (`…`) the beginning of one goes too. */
  line(line: string): string {
    const clean = this.text(line)
    if (!clean.endsWith('…')) return clean
    for (let length = Math.min(clean.length - 1, LONGEST_LINE); length >= SHORTEST_SECRET; length -= 1) {
      const tail = clean.slice(-1 - length, -1)
      if (this.#spellings.some((spelling) => spelling.startsWith(tail)))
        return `${clean.slice(0, -1 - length)}${MASKED_SECRET}…`
    }
    return clean
  }

  /** Headers without credentials and registered values. */
  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, this.header(name, value)]),
    )
  }

  /**
   * A member of arguments as it may be shown: a text without the registered values; only that something is there where
   * the name says that it is a secret. It can be given to `JSON.stringify`.
   */
  member(name: string, value: unknown): unknown {
    const isEmpty = value === undefined || value === null || value === '' || typeof value === 'boolean'
    if (!isEmpty && namesSecretHeader(name)) return MASKED_SECRET
    return typeof value === 'string' ? this.text(value) : value
  }

  /** The place before `end` where a registered value begins that goes on beyond it, or else `end`. In bytes. */
  cutBefore(bytes: Uint8Array, end: number): number {
    let cut = end
    for (const spelling of this.#spellings) {
      const form = Buffer.from(spelling)
      const from = Math.max(0, end - form.length + 1)
      const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(form, from)
      if (at >= 0 && at < cut) cut = at
    }
    return cut
  }

  #prepare(): void {
    const spellings = [...this.#values.keys()].flatMap((value) => [
      value,
      encodeURIComponent(value.toWellFormed()),
      JSON.stringify(value).slice(1, -1),
    ])
    this.#spellings = [...new Set(spellings)].sort((a, b) => b.length - a.length)
    this.#pattern = patternOf(this.#spellings)
    this.#bytePattern = patternOf(this.#spellings.map(bytesAsText))
  }

  /** The value of one header without credentials and registered values. Headers such as `location` have addresses. */
  header(name: string, value: string): string {
    return namesSecretHeader(name) ? withoutCredentials(value) : this.address(value)
  }

  /** An address without registered values, its password, and parameters whose names name a secret. */
  address(text: string): string {
    return this.text(replaceAddressSecrets(text, () => MASKED_SECRET))
  }

  /** The facts as they are kept and shown. */
  http(facts: HttpFacts): HttpView {
    return {
      exchange: facts.exchange,
      method: facts.method,
      url: this.address(facts.url),
      ...(facts.status === undefined ? {} : { status: facts.status }),
      headers: Object.entries(facts.headers).map(([name, value]) => ({
        name,
        value: this.header(name, value),
      })),
      ...(facts.event === undefined ? {} : { event: facts.event }),
    }
  }
}

function namesSecretHeader(name: string): boolean {
  return SECRET_HEADERS.has(name.toLowerCase()) || namesSecret(name)
}

/** The scheme of an authorization is not a secret and often the fault. */
function withoutCredentials(value: string): string {
  const scheme = /^(Basic|Bearer|Digest|DPoP|Negotiate)\s/i.exec(value)?.[1]
  return scheme === undefined ? MASKED_SECRET : `${scheme} ${MASKED_SECRET}`
}

function patternOf(spellings: readonly string[]): RegExp | undefined {
  return spellings.length === 0 ? undefined : new RegExp(spellings.map(escapeRegExp).join('|'), 'g')
}

function bytesAsText(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}
