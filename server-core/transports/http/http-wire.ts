import { Pool } from 'undici'
import type { Limits } from '../../protocol/limits.ts'
import { TransportError } from '../../ports/contract.ts'
import type { Flight } from './flight.ts'
import { HttpExchange, type HttpReply } from './http-exchange.ts'
import type { RefusedReply } from './http-failure.ts'
import { rawFrame } from '../../ports/raw-frame.ts'
import type { HttpFacts, Tap } from '../../ports/tap.ts'

const CONNECT_TIMEOUT_MS = 10_000
const NO_BYTES = new Uint8Array()
/** How often one request goes to another address of the same origin. */
const MAX_REDIRECTS = 5

export type HttpCall = {
  readonly method: string
  /** Where on the origin it goes; to the address of the wire unless told. */
  readonly path?: string
  readonly headers: Readonly<Record<string, string>>
  /** The message that is sent, and its bytes. */
  readonly message?: { readonly bytes: Buffer; readonly parsed: unknown }
  /** Bytes that are sent as they are, whatever they hold. */
  readonly raw?: Uint8Array
  readonly flight?: Flight
}

/** One client's HTTP connections to one origin: sends requests, records them, and ends them all at `destroy`. */
export class HttpWire {
  readonly url: string
  readonly #origin: string
  readonly #host: string
  readonly #path: string
  readonly #limits: Limits
  readonly #tap: Tap
  readonly #open = new Set<HttpExchange>()
  /** Where paths of this origin went for good (308). */
  readonly #moved = new Map<string, string>()
  readonly #pool: Pool
  #exchanges = 0

  constructor(target: URL, limits: Limits, tap: Tap) {
    this.url = target.href
    this.#origin = target.origin
    this.#host = target.host
    this.#path = `${target.pathname}${target.search}`
    this.#limits = limits
    this.#tap = tap
    this.#pool = new Pool(target.origin, {
      // Streams may be quiet for hours; whoever asks decides how long it waits.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      allowH2: false,
    })
  }

  /**
   * Sends one request and resolves with the reply: with its whole body, or with the head of an event stream. A
   * redirect within the origin that keeps the method is followed, and remembered if it is for good (308), no other: neither messages nor credentials go
   * where nobody sent them. Throws a `TransportError` if no reply comes.
   */
  exchange(call: HttpCall): Promise<HttpReply> {
    return new Promise((resolve, reject) => {
      this.#send(call, this.#pathOf(call), 0, resolve, reject)
    })
  }

  /** Where a call goes. */
  urlOf(call: HttpCall): string {
    return this.#urlAt(this.#pathOf(call))
  }

  async destroy(): Promise<void> {
    for (const exchange of this.#open) exchange.giveUp()
    await this.#pool.destroy()
  }

  #send(
    call: HttpCall,
    path: string,
    redirects: number,
    resolve: (reply: HttpReply) => void,
    reject: (error: TransportError) => void,
  ): void {
    const { method, message, raw, flight } = call
    if (flight?.isAbandoned() === true) {
      reject(new TransportError('closed', 'the exchange was given up', { url: this.url }))
      return
    }
    const headers = { host: this.#host, ...call.headers }
    const url = this.#urlAt(path)
    const asked: HttpFacts = { exchange: (this.#exchanges += 1), method, url, headers }
    this.#recordSent(call, asked)
    const exchange = new HttpExchange({
      asked,
      tap: this.#tap,
      maxBytes: this.#limits.messageBytes,
      onReply: (reply) => {
        const next = redirects < MAX_REDIRECTS ? this.#redirectedTo(reply, method) : undefined
        if (next === undefined) resolve(reply)
        else {
          this.#tap.record({ kind: 'http', direction: 'received', bytes: reply.body, http: reply.facts })
          if (reply.status === 308) this.#moved.set(path, next)
          this.#send(call, next, redirects + 1, resolve, reject)
        }
      },
      onFailure: reject,
      onOver: this.#onOver,
    })
    this.#open.add(exchange)
    flight?.carriedBy(exchange)
    const body = message?.bytes ?? raw ?? NO_BYTES
    this.#pool.dispatch({ path, method, headers, body: body.length === 0 ? null : body }, exchange)
  }

  #pathOf({ path = this.#path }: HttpCall): string {
    return this.#moved.get(path) ?? path
  }

  #urlAt(path: string): string {
    return path === this.#path ? this.url : `${this.#origin}${path}`
  }

  #recordSent({ message, raw }: HttpCall, http: HttpFacts): void {
    if (message !== undefined) {
      const { bytes, parsed } = message
      this.#tap.record({ kind: 'message', direction: 'sent', bytes, parsed, http })
    } else if (raw !== undefined) this.#tap.record(rawFrame(raw, this.#limits, http))
    else this.#tap.record({ kind: 'http', direction: 'sent', bytes: NO_BYTES, http })
  }

  readonly #onOver = (exchange: HttpExchange): void => void this.#open.delete(exchange)

  /** The path that a redirect leads to, if it is followed. */
  #redirectedTo({ status, headers, url }: HttpReply, method: string): string | undefined {
    if (status < 300 || status > 308 || headers['location'] === undefined) return undefined
    const keepsMethod =
      status === 307 || status === 308 || (method === 'GET' && status !== 304 && status <= 303)
    const target = keepsMethod ? URL.parse(headers['location'], url) : null
    return target?.origin === this.#origin ? `${target.pathname}${target.search}` : undefined
  }
}

/** What error reports say about a reply. */
export function refusedReply(reply: HttpReply): RefusedReply {
  const { url, status, headers, body, afterMs } = reply
  return { url, status, headers, body, afterMs }
}
