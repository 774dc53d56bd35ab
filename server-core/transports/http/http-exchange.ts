import { countText } from '../../protocol/count-text.ts'
import type { Dispatcher } from 'undici'
import { TransportError } from '../../ports/contract.ts'
import { connectionFailure } from './http-failure.ts'
import type { HttpFacts, Tap } from '../../ports/tap.ts'
import { TurnBudget } from '../../processes/turn-budget.ts'

const NO_BYTES = Buffer.alloc(0)

/** The head of a reply, and its body: whole, or an event stream that is still to be read or given up. */
export type HttpReply = {
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** What the tap gets with every message of this reply. */
  readonly facts: HttpFacts
  /** Everything that came; empty where there is a stream. */
  readonly body: Buffer
  /** There if it succeeded with an event stream. */
  readonly stream?: HttpStream
  readonly afterMs: number
}

/** The body of a reply that is read as it comes. */
export interface HttpStream {
  /**
   * Calls `onChunk` with every chunk, earlier ones included. Resolves at the end; rejects with what `onChunk` throws, and
   * with a `TransportError` if the stream is cut.
   */
  read(onChunk: (chunk: Buffer) => void): Promise<void>
  /** Ends the exchange; what is left is not read. */
  giveUp(): void
}

export type ExchangeParts = {
  /** The request as the tap gets it. */
  readonly asked: HttpFacts
  readonly tap: Tap
  /** The longest body that is taken whole. */
  readonly maxBytes: number
  readonly onReply: (reply: HttpReply) => void
  readonly onFailure: (error: TransportError) => void
  /** Called once, when nothing of the exchange is left. */
  readonly onOver: (exchange: HttpExchange) => void
}

/** One HTTP request and its reply, as undici's dispatcher drives it: no stream object, no promise. */
export class HttpExchange implements Dispatcher.DispatchHandler, HttpStream {
  readonly #parts: ExchangeParts
  readonly #startedAt = performance.now()
  #controller: Dispatcher.DispatchController | undefined
  #head: Omit<HttpReply, 'body' | 'stream'> | undefined
  #isStream = false
  #chunks: Buffer[] = []
  #length = 0
  /** How the exchange ended; undefined while it is under way. */
  #end: { readonly error: unknown } | undefined
  #reader:
    | {
        readonly onChunk: (chunk: Buffer) => void
        readonly resolve: () => void
        readonly reject: (error: unknown) => void
      }
    | undefined

  readonly #turns = new TurnBudget({
    pause: () => this.#controller?.pause(),
    resume: () => this.#controller?.resume(),
  })

  constructor(parts: ExchangeParts) {
    this.#parts = parts
  }

  /** Abandons the exchange and records that. */
  cancel(): void {
    if (this.#end !== undefined) return
    const { asked, tap } = this.#parts
    tap.record({ kind: 'http', direction: 'sent', bytes: NO_BYTES, http: { ...asked, headers: {} } })
    this.giveUp()
  }

  giveUp(): void {
    this.#over(
      new TransportError('closed', 'the exchange was given up', {
        url: this.#parts.asked.url,
        afterMs: this.#afterMs(),
      }),
    )
  }

  read(onChunk: (chunk: Buffer) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#reader = { onChunk, resolve, reject }
      for (const chunk of this.#chunks.splice(0)) this.#hand(chunk)
      this.#controller?.resume()
      if (this.#end !== undefined) this.#notifyReader(this.#end.error)
    })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#end !== undefined) controller.abort(new Error('given up'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // Informational replies precede the one that counts.
    if (status < 200) return
    const { asked } = this.#parts
    const flat = flatten(headers)
    const facts = { exchange: asked.exchange, method: asked.method, url: asked.url, headers: flat, status }
    this.#head = { url: asked.url, status, headers: flat, facts, afterMs: this.#afterMs() }
    this.#isStream = status < 300 && isEventStream(flat['content-type'])
    if (this.#isStream) this.#parts.onReply({ ...this.#head, body: NO_BYTES, stream: this })
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#end !== undefined) return
    if (this.#reader !== undefined) {
      this.#turns.spend(() => {
        this.#hand(chunk)
      })
      return
    }
    this.#chunks.push(chunk)
    this.#length += chunk.length
    if (this.#isStream) this.#controller?.pause()
    else if (this.#length > this.#parts.maxBytes) this.#over(this.#tooLong())
  }

  onResponseEnd(): void {
    this.#over(undefined)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#over(error)
  }

  #hand(chunk: Buffer): void {
    try {
      this.#reader?.onChunk(chunk)
    } catch (error) {
      this.#over(error)
    }
  }

  #over(error: unknown): void {
    if (this.#end !== undefined) return
    this.#end = { error }
    if (error !== undefined) this.#controller?.abort(new Error('given up'))
    this.#parts.onOver(this)
    if (this.#reader !== undefined) this.#notifyReader(error)
    if (this.#isStream) return
    if (error === undefined && this.#head !== undefined) {
      const [only] = this.#chunks
      const isOne = this.#chunks.length === 1 && only !== undefined
      this.#parts.onReply({ ...this.#head, body: isOne ? only : Buffer.concat(this.#chunks, this.#length) })
    } else this.#fail(error ?? new Error('the connection ended before a reply came'))
  }

  #fail(cause: unknown): void {
    const { asked, tap } = this.#parts
    const failure = connectionFailure(cause, asked.url, this.#afterMs())
    const bytes = Buffer.from(failure.message)
    tap.record({ kind: 'http', direction: 'received', bytes, http: { ...asked, headers: {} } })
    this.#parts.onFailure(failure)
  }

  #notifyReader(error: unknown): void {
    if (error === undefined) this.#reader?.resolve()
    else this.#reader?.reject(connectionFailure(error, this.#parts.asked.url, this.#afterMs()))
  }

  #tooLong(): TransportError {
    const { maxBytes } = this.#parts
    return new TransportError(
      'limit',
      `the body is longer than ${countText(maxBytes)} bytes (limit messageBytes)`,
      {
        url: this.#parts.asked.url,
        ...(this.#head === undefined
          ? {}
          : { httpStatus: this.#head.status, httpHeaders: this.#head.headers }),
      },
    )
  }

  #afterMs(): number {
    return Math.round(performance.now() - this.#startedAt)
  }
}

export const EVENT_STREAM = 'text/event-stream'

function isEventStream(contentType: string | undefined): boolean {
  return contentType !== undefined && contentType.trim().toLowerCase().startsWith(EVENT_STREAM)
}

function flatten(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string>> {
  if (isFlat(headers)) return headers
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value === undefined || typeof value === 'string' ? (value ?? '') : value.join(', '),
    ]),
  )
}

/** No header came twice. */
function isFlat(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): headers is Readonly<Record<string, string>> {
  for (const name in headers) if (typeof headers[name] !== 'string') return false
  return true
}
