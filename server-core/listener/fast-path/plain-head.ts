/** A method, a plain path with or without a query, and the version that keeps connections. */
const REQUEST_LINE = /^(POST|GET) (\/[A-Za-z0-9/_.~%-]*(?:\?[A-Za-z0-9/_.~%&=+-]*)?) HTTP\/1\.1$/
const FIELD = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*((?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?)[ \t]*$/
const LENGTH = /^(?:0|[1-9]\d{0,8})$/
/** Fields that change how a message or its connection is read. */
const FRAMING_FIELDS: ReadonlySet<string> = new Set([
  'transfer-encoding',
  'upgrade',
  'expect',
  'trailer',
  'te',
  'proxy-connection',
  'http2-settings',
  // Always a list in node:http.
  'set-cookie',
])
/** How many values of Content-Length one head keeps its fields for. */
const KEPT_LENGTHS = 8
/** Stands for the value of Content-Length, which no field can contain. */
const LENGTH_SLOT = '\0'

/** What a head says, in the form of `node:http`: names of `headers` in lower case, `rawHeaders` as they came. */
export type HeadFacts = {
  readonly headers: Readonly<Record<string, string>>
  readonly rawHeaders: readonly string[]
  /** Bytes of the body. */
  readonly bodyLength: number
}

/**
 * A plain head of a request, with a gap where its Content-Length was: clients send the same head again and again, with
 * another length alone.
 */
export class PlainHead {
  readonly method: 'POST' | 'GET'
  readonly url: string
  readonly #before: string
  readonly #after: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #rawHeaders: readonly string[]
  readonly #facts = new Map<string, HeadFacts>()

  constructor(parts: {
    readonly method: 'POST' | 'GET'
    readonly url: string
    readonly before: string
    readonly after: string
    readonly headers: Readonly<Record<string, string>>
    readonly rawHeaders: readonly string[]
  }) {
    this.method = parts.method
    this.url = parts.url
    this.#before = parts.before
    this.#after = parts.after
    this.#headers = parts.headers
    this.#rawHeaders = parts.rawHeaders
  }

  /** Returns what `text` says if it is this head with any length; undefined if it is another one. */
  match(text: string): HeadFacts | undefined {
    if (!text.startsWith(this.#before) || !text.endsWith(this.#after)) return undefined
    const end = text.length - this.#after.length
    if (end < this.#before.length) return undefined
    const digits = text.slice(this.#before.length, end)
    return this.#facts.get(digits) ?? this.#factsFor(digits)
  }

  #factsFor(digits: string): HeadFacts | undefined {
    const hasLength = 'content-length' in this.#headers
    if (hasLength ? !LENGTH.test(digits) : digits !== '') return undefined
    const facts = hasLength
      ? {
          headers: { ...this.#headers, 'content-length': digits },
          rawHeaders: this.#rawHeaders.map((each) => (each === LENGTH_SLOT ? digits : each)),
          bodyLength: Number(digits),
        }
      : { headers: this.#headers, rawHeaders: this.#rawHeaders, bodyLength: 0 }
    if (this.#facts.size >= KEPT_LENGTHS) this.#facts.clear()
    this.#facts.set(digits, facts)
    return facts
  }
}

/**
 * Parses a head, without its empty line. Returns undefined unless the head is plain: POST with a Content-Length or GET
 * without one, each field once and in visible ASCII, a Host, and nothing that changes how the message is framed.
 * `node:http` reads every plain head alike; it decides about all others.
 */
export function readPlainHead(text: string): PlainHead | undefined {
  const lines = text.split('\r\n')
  const [first = ''] = lines
  const [, method, url] = REQUEST_LINE.exec(first) ?? []
  if ((method !== 'POST' && method !== 'GET') || url === undefined) return undefined
  const headers: Record<string, string> = {}
  const rawHeaders: string[] = []
  let offset = first.length
  let gap: { readonly start: number; readonly end: number } | undefined
  for (const line of lines.slice(1)) {
    const [, name, value] = FIELD.exec(line) ?? []
    if (name === undefined || value === undefined) return undefined
    const key = name.toLowerCase()
    // `in` also finds what every object has, such as `constructor`: such names are left to node:http.
    if (key in headers || FRAMING_FIELDS.has(key)) return undefined
    if (key === 'connection' && value.toLowerCase() !== 'keep-alive') return undefined
    if (key === 'content-length') {
      if (!LENGTH.test(value)) return undefined
      const start = offset + 2 + line.indexOf(value, name.length + 1)
      gap = { start, end: start + value.length }
    }
    headers[key] = value
    rawHeaders.push(name, key === 'content-length' ? LENGTH_SLOT : value)
    offset += 2 + line.length
  }
  if (headers['host'] === undefined || (gap !== undefined) !== (method === 'POST')) return undefined
  return new PlainHead({
    method,
    url,
    before: text.slice(0, gap?.start ?? text.length),
    after: gap === undefined ? '' : text.slice(gap.end),
    headers,
    rawHeaders,
  })
}
