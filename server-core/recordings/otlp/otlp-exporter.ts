import { messageOf } from '../../protocol/error-message.ts'
import type { TransportKind } from '../../protocol/transport-kind.ts'
import { frameOf, type Frame, type Tap } from '../../ports/tap.ts'
import { otlpBody, SpanBuilder, type OtlpSpan, type SpanFrame } from './span-builder.ts'

const BATCH_MS = 1_000
const TIMEOUT_MS = 10_000
/** Frames that wait to be read. What comes then makes no spans. */
const MOST_FRAMES = 20_000
const MOST_FRAME_BYTES = 32 * 1024 * 1024
/** Spans that wait for the collector, and that one request has. */
const MOST_SPANS = 10_000
const BATCH_SPANS = 500

export type OtlpExporterOptions = {
  readonly mask: (text: string) => string
  /** Reports what goes wrong, once until it is over. */
  readonly onTrouble: (text: string) => void
}

export type OtlpSource = {
  readonly serverName: string
  readonly side: 'client' | 'server'
}

/**
 * Sends spans of what taps see to a collector as OTLP over HTTP with JSON. Without an endpoint it sees and sends nothing.
 * Traffic never waits for it.
 */
export class OtlpExporter {
  readonly #options: OtlpExporterOptions
  readonly #builder: SpanBuilder
  #endpoint: URL | undefined
  #frames: SpanFrame[] = []
  #frameBytes = 0
  #spans: OtlpSpan[] = []
  #lost = 0
  #connections = 0
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> = Promise.resolve()
  #isFailing = false

  constructor(options: OtlpExporterOptions) {
    this.#options = options
    this.#builder = new SpanBuilder(options.mask)
  }

  /** Sends to this collector from now on, or nowhere without an endpoint. @throws RangeError if it is not an address */
  configure(endpoint: string | undefined): void {
    this.#endpoint = endpoint === undefined || endpoint === '' ? undefined : tracesUrl(endpoint)
    if (this.#endpoint !== undefined) return
    this.#frames = []
    this.#spans = []
  }

  tap(source: OtlpSource, transport: TransportKind): Tap {
    this.#connections += 1
    const connection = String(this.#connections)
    const record = (frame: Frame): void => {
      if (this.#endpoint === undefined || frame.kind !== 'message') return
      const { direction, bytes, http } = frame
      this.#frameBytes += bytes.byteLength
      if (this.#frames.length >= MOST_FRAMES || this.#frameBytes > MOST_FRAME_BYTES) {
        this.#frameBytes -= bytes.byteLength
        this.#lost += 1
        return
      }
      const session = http?.headers['mcp-session-id']
      const at = performance.timeOrigin + performance.now()
      // Clients of one listener have ids of their own; an answer comes in the exchange of its request.
      const of = http === undefined ? connection : `${connection} ${http.exchange}`
      const facts = { at, direction, bytes, ...source, transport, connection: of }
      this.#frames.push(session === undefined ? facts : { ...facts, session })
      this.#timer ??= setTimeout(() => this.#flush(), BATCH_MS).unref()
    }
    return {
      record,
      lines: (lines) => {
        if (this.#endpoint === undefined) return
        for (let index = 0; index < lines.ends.length; index += 1) record(frameOf(lines, index))
      },
      fork: (kind) => this.tap(source, kind ?? transport),
    }
  }

  /** Sends what waits. */
  async close(): Promise<void> {
    this.#flush()
    await this.#sending
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const frame of this.#frames.splice(0)) this.#spans.push(...this.#builder.add(frame))
    this.#frameBytes = 0
    this.#lost += Math.max(0, this.#spans.length - MOST_SPANS)
    this.#spans = this.#spans.slice(-MOST_SPANS)
    this.#sending = this.#sending.then(() => this.#send())
  }

  async #send(): Promise<void> {
    while (this.#endpoint !== undefined && this.#spans.length > 0) {
      const batch = this.#spans.slice(0, BATCH_SPANS)
      try {
        const answer = await fetch(this.#endpoint, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(otlpBody(batch)),
          redirect: 'error',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        })
        await answer.body?.cancel()
        if (!answer.ok) throw new Error(`it answered with status ${answer.status}`)
        this.#spans = this.#spans.slice(batch.length)
        this.#isFailing = false
      } catch (error) {
        this.#report(this.#endpoint, error)
        return
      }
    }
    if (this.#lost > 0 && this.#endpoint !== undefined) {
      this.#options.onTrouble(
        `${this.#lost} messages or spans were not sent to ${this.#endpoint.href}: too many waited`,
      )
      this.#lost = 0
    }
  }

  #report({ href }: URL, error: unknown): void {
    if (this.#isFailing) return
    this.#isFailing = true
    const cause = error instanceof Error && error.cause !== undefined ? `: ${messageOf(error.cause)}` : ''
    this.#options.onTrouble(
      `Spans cannot be sent to ${href}: ${messageOf(error)}${cause}. They wait, and the oldest are left out when too many do.`,
    )
  }
}

/** Where a collector takes spans. An address without a path is its base, as in `OTEL_EXPORTER_OTLP_ENDPOINT`. */
export function tracesUrl(endpoint: string): URL {
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    throw new RangeError(
      `expected the http or https address of an OTLP collector, such as http://localhost:4318, got "${endpoint}"`,
    )
  const url = new URL(endpoint)
  if (url.username !== '' || url.password !== '')
    throw new RangeError('the address of a collector has no user name and no password')
  if (url.pathname === '/') url.pathname = '/v1/traces'
  return url
}
