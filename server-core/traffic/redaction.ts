import type { HttpFacts } from '../transports/tap.ts'
import type { HttpView } from './exchange.ts'

const REPLACEMENT = '⟨redacted⟩'

/** Headers whose value is a secret by what they are for. */
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
])

/** Shorter values would be found in harmless text everywhere. */
const SHORTEST_SECRET = 4

/**
 * Takes secrets out of HTTP facts before they are kept: the values of headers that carry credentials, and every
 * value that was registered, wherever it stands in a header or an address (as it is, or percent-encoded).
 */
export class Redaction {
  readonly #values = new Map<string, number>()

  /**
   * Registers a secret and gives the function that forgets it. A value registered twice must be forgotten twice.
   * Values of fewer than 4 characters are not looked for.
   */
  register(value: string): () => void {
    if (value.length < SHORTEST_SECRET) return () => undefined
    this.#values.set(value, (this.#values.get(value) ?? 0) + 1)
    let registered = true
    return () => {
      if (!registered) return
      registered = false
      const times = (this.#values.get(value) ?? 1) - 1
      if (times === 0) this.#values.delete(value)
      else this.#values.set(value, times)
    }
  }

  /** A text without the registered values. */
  text(text: string): string {
    let clean = text
    // The longest first, so that a secret that contains another leaves nothing behind.
    const values = [...this.#values.keys()].sort((a, b) => b.length - a.length)
    for (const value of values) {
      clean = clean.replaceAll(value, REPLACEMENT)
      const encoded = encodeURIComponent(value.toWellFormed())
      if (encoded !== value) clean = clean.replaceAll(encoded, REPLACEMENT)
    }
    return clean
  }

  /** The facts as they are kept and shown. */
  http(facts: HttpFacts): HttpView {
    return {
      exchange: facts.exchange,
      method: facts.method,
      url: this.text(facts.url),
      ...(facts.status === undefined ? {} : { status: facts.status }),
      headers: Object.entries(facts.headers).map(([name, value]) => ({
        name,
        value: SECRET_HEADERS.has(name.toLowerCase()) ? withoutCredentials(value) : this.text(value),
      })),
      ...(facts.event === undefined ? {} : { event: facts.event }),
    }
  }
}

/** The scheme of an authorization is no secret and often the fault. */
function withoutCredentials(value: string): string {
  const scheme = /^(Basic|Bearer|Digest|DPoP|Negotiate)\s/i.exec(value)?.[1]
  return scheme === undefined ? REPLACEMENT : `${scheme} ${REPLACEMENT}`
}
