import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { OAuthError } from './oauth-error.ts'
import { PAGE_HEADERS, PAGES } from './redirect-page.ts'

const PATH = '/callback'
/** Characters of a request's target. */
const MAX_TARGET = 16_384

/** What an answer must fit. */
export type ExpectedAnswer = { readonly state: string; readonly redirectUri: string }

/** An answer that is waited for. */
export interface Answer {
  /** Its query, without the question mark. Throws an `OAuthError` if it does not come in time or it is stopped. */
  within(ms: number, signal: AbortSignal): Promise<string>
}

type Waiting = {
  readonly expected: ExpectedAnswer
  readonly answer: PromiseWithResolvers<string>
}

/**
 * Takes the browser back after an authorization (RFC 8252, 7.3): a listener on 127.0.0.1 alone, at `/callback`, on any
 * free port or the one that is asked for. It takes the one answer whose state fits; others change nothing. The address
 * can be pasted too.
 */
export class RedirectReceiver {
  #server: Server | undefined
  #opening: Promise<{ readonly redirectUri: string }> | undefined
  #redirectUri: string | undefined
  #waiting: Waiting | undefined

  /** The redirect address that is listened at, or undefined. */
  get redirectUri(): string | undefined {
    return this.#redirectUri
  }

  /** Listens, unless it does. If the port is taken, another one is used. */
  async open(port?: number): Promise<{ readonly redirectUri: string }> {
    this.#opening ??= this.#open(port).catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  /** Waits for the answer to one request; an earlier one is not waited for any more. */
  expect(expected: ExpectedAnswer): Answer {
    const answer = Promise.withResolvers<string>()
    answer.promise.catch(() => undefined)
    this.#waiting?.answer.reject(new OAuthError('stopped', 'The authorization was begun again.'))
    const waiting = { expected, answer }
    this.#waiting = waiting
    return {
      within: async (ms, signal) => {
        const stop = (): void => answer.reject(new OAuthError('stopped', 'The authorization was stopped.'))
        const timer = setTimeout(() => {
          const minutes = Math.max(1, Math.round(ms / 60_000))
          answer.reject(
            new OAuthError(
              'timeout',
              `No answer came back from the browser within ${minutes} min. Start again.`,
            ),
          )
        }, ms)
        signal.addEventListener('abort', stop, { once: true })
        if (signal.aborted) stop()
        try {
          return await answer.promise
        } finally {
          clearTimeout(timer)
          signal.removeEventListener('abort', stop)
          if (this.#waiting === waiting) this.#waiting = undefined
        }
      },
    }
  }

  /** Handles the address that a browser was redirected to. Throws an `OAuthError` (`callback`) if it is not the answer. */
  paste(address: string): void {
    const waiting = this.#waiting
    if (waiting === undefined)
      throw new OAuthError('callback', 'No answer is waited for. Start the authorization first.')
    const url = URL.parse(address.trim())
    const { redirectUri, state } = waiting.expected
    const expected = new URL(redirectUri)
    if (url === null || url.origin !== expected.origin || url.pathname !== expected.pathname) {
      throw new OAuthError(
        'callback',
        `Expected the whole address that the browser ended at; it begins with ${redirectUri}?`,
      )
    }
    if (!sameState(url.searchParams, state)) {
      throw new OAuthError(
        'callback',
        'That address answers another request: its state is not the one that was sent.',
      )
    }
    waiting.answer.resolve(url.search.slice(1))
  }

  /** Stops listening and waiting. */
  async close(): Promise<void> {
    this.#waiting?.answer.reject(new OAuthError('stopped', 'The authorization was stopped.'))
    this.#waiting = undefined
    await this.#opening?.catch(() => undefined)
    const server = this.#server
    this.#server = undefined
    this.#opening = undefined
    this.#redirectUri = undefined
    if (server === undefined) return
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }

  async #open(port = 0): Promise<{ readonly redirectUri: string }> {
    const { createServer } = await import('node:http')
    const server = createServer({ maxHeaderSize: 32_768, requestTimeout: 10_000 }, (request, response) =>
      this.#serve(request, response),
    )
    await listen(server, port)
    // An authorization that is forgotten keeps nothing running.
    server.unref()
    this.#server = server
    const address = server.address()
    if (address === null || typeof address === 'string')
      throw new OAuthError('callback', 'No port could be listened at.')
    this.#redirectUri = `http://127.0.0.1:${address.port}${PATH}`
    return { redirectUri: this.#redirectUri }
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { method, url = '', headers } = request
    const reply = (status: number, body: string): void => {
      response.writeHead(status, PAGE_HEADERS).end(method === 'HEAD' ? undefined : body)
    }
    const own = this.#redirectUri === undefined ? undefined : new URL(this.#redirectUri)
    const target = url.length > MAX_TARGET || !url.startsWith('/') ? null : URL.parse(url, own?.origin)
    if (own === undefined || target === null || headers.host !== own.host || target.pathname !== PATH) {
      reply(404, PAGES.missing)
      return
    }
    if (method !== 'GET') {
      reply(405, PAGES.missing)
      return
    }
    const waiting = this.#waiting
    if (waiting === undefined) {
      reply(410, PAGES.over)
      return
    }
    if (!sameState(target.searchParams, waiting.expected.state)) {
      reply(400, PAGES.foreign)
      return
    }
    // One use: a second visit finds nothing that waits.
    this.#waiting = undefined
    reply(200, PAGES.taken)
    waiting.answer.resolve(target.search.slice(1))
  }
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    if (port === 0) throw error
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
}

/** Compares in constant time; a repeated state is invalid. */
function sameState(parameters: URLSearchParams, expected: string): boolean {
  const [given, ...more] = parameters.getAll('state')
  if (given === undefined || more.length > 0) return false
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
