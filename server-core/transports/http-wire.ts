import type { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import type { Limits } from '../protocol/limits.ts'
import { TransportError } from './contract.ts'
import { connectionFailure, type RefusedReply } from './http-failure.ts'
import { rawFrame } from './raw-frame.ts'
import type { HttpFacts, Tap } from './tap.ts'

const CONNECT_TIMEOUT_MS = 10_000
const NO_BYTES = new Uint8Array()

export type HttpCall = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** The message that is sent, and its bytes. */
  readonly message?: { readonly bytes: Buffer; readonly parsed: unknown }
  /** Bytes that are sent as they are, whatever they hold. */
  readonly raw?: Uint8Array
  readonly signal?: AbortSignal
}

/** The head of a reply; its body is still to be read or given up. */
export type HttpReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** What stands beside every message of this reply on the tap. */
  readonly facts: HttpFacts
  readonly body: Readable
  readonly afterMs: number
  /** Ends the exchange; what is left of the body is not read. */
  giveUp(): void
}

/** One client's HTTP connections to one address: sends requests, records them, and ends them all at `destroy`. */
export class HttpWire {
  readonly url: string
  readonly #target: URL
  readonly #limits: Limits
  readonly #tap: Tap
  readonly #open = new Set<AbortController>()
  readonly #agent = new Agent({
    // Streams may be quiet for hours; whoever asks decides how long it waits.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    allowH2: false,
  })
  #exchanges = 0

  constructor(target: URL, limits: Limits, tap: Tap) {
    this.#limits = limits
    this.#target = target
    this.url = target.href
    this.#tap = tap
  }

  /** Sends one request and resolves with the head of the reply. Throws a `TransportError` if none comes. */
  async exchange(call: HttpCall): Promise<HttpReply> {
    const startedAt = performance.now()
    const exchange = (this.#exchanges += 1)
    const asked: HttpFacts = {
      exchange,
      method: call.method,
      url: this.url,
      headers: { host: this.#target.host, ...call.headers },
    }
    const body = call.message?.bytes ?? call.raw
    if (call.raw !== undefined) this.#tap.record(rawFrame(call.raw, this.#limits, asked))
    else if (call.message === undefined)
      this.#tap.record({ kind: 'http', direction: 'sent', bytes: NO_BYTES, http: asked })
    else this.#tap.record({ kind: 'message', direction: 'sent', ...call.message, http: asked })

    const controller = new AbortController()
    const abort = (): void => controller.abort()
    const cancel = (): void => {
      this.#tap.record({ kind: 'http', direction: 'sent', bytes: NO_BYTES, http: { ...asked, headers: {} } })
      controller.abort()
    }
    this.#open.add(controller)
    call.signal?.addEventListener('abort', cancel)
    const settle = (): void => {
      this.#open.delete(controller)
      call.signal?.removeEventListener('abort', cancel)
    }
    if (call.signal?.aborted === true) cancel()

    try {
      const {
        statusCode,
        headers,
        body: reply,
      } = await this.#agent.request({
        origin: this.#target.origin,
        path: `${this.#target.pathname}${this.#target.search}`,
        method: call.method as Dispatcher.HttpMethod,
        headers: { ...call.headers },
        signal: controller.signal,
        ...(body === undefined || body.length === 0 ? {} : { body }),
      })
      reply.once('close', settle)
      // An error of the body reaches its reader; a body that was given up has none.
      reply.on('error', () => undefined)
      const flat = flatten(headers)
      return {
        status: statusCode,
        headers: flat,
        facts: { ...asked, headers: flat, status: statusCode },
        body: reply,
        afterMs: Math.round(performance.now() - startedAt),
        giveUp: abort,
      }
    } catch (cause) {
      settle()
      const afterMs = Math.round(performance.now() - startedAt)
      const error = controller.signal.aborted
        ? new TransportError('closed', 'the exchange was given up', { url: this.url, afterMs }, { cause })
        : connectionFailure(cause, this.url, afterMs)
      this.#tap.record({
        kind: 'http',
        direction: 'received',
        bytes: Buffer.from(error.message),
        http: { ...asked, headers: {} },
      })
      throw error
    }
  }

  /** Gives up every exchange that is under way. */
  abortAll(): void {
    for (const controller of this.#open) controller.abort()
  }

  async destroy(): Promise<void> {
    this.abortAll()
    await this.#agent.destroy()
  }
}

/**
 * Reads a whole body. Throws a `TransportError`: `limit` as soon as it is longer than allowed, `connection-failed`
 * when it is cut.
 */
export async function readBody(
  reply: HttpReply,
  url: string,
  limits: Pick<Limits, 'messageBytes'>,
): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of reply.body as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > limits.messageBytes) {
        reply.giveUp()
        throw new TransportError(
          'limit',
          `the body is longer than ${limits.messageBytes} bytes (limit messageBytes)`,
          {
            url,
            httpStatus: reply.status,
            httpHeaders: reply.headers,
          },
        )
      }
      parts.push(chunk)
    }
  } catch (cause) {
    throw connectionFailure(cause, url, reply.afterMs)
  }
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts, length)
}

/** What error reports say about a reply whose body was read. */
export function refusedReply(reply: HttpReply, url: string, body: Uint8Array): RefusedReply {
  return { url, status: reply.status, headers: reply.headers, body, afterMs: reply.afterMs }
}

function flatten(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')]],
  )
  return Object.fromEntries(entries)
}
