import { CodedError } from '../protocol/coded-error.ts'
import { guardedFetch, type GuardedFetch } from '../network/guarded-fetch.ts'
import { NetworkError } from '../network/network-error.ts'

/** Milliseconds that one answer of an authorization server may take, whole. */
const TIMEOUT_MS = 5_000
/** Bytes of one answer. */
const MAX_BYTES = 1024 * 1024
/** Concurrent requests to one server: callers who send invalid tokens must not become a flood there. */
const MOST_AT_ONCE = 256
/** Milliseconds for which a server that failed is not asked the same again. */
const PAUSE_MS = 1_000

/**
 * The authorization server gave no answer that can be used: its tokens can be neither taken nor refused now.
 * `message` is for the log of this server, not for callers.
 */
export class AuthorityError extends CodedError<
  'unreachable' | 'busy' | 'address' | 'too-large' | 'status' | 'content'
> {
  override readonly name = 'AuthorityError'
}

export type AuthorityReply = { readonly status: number; readonly body: Buffer }

export type AuthorityRequest = {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * Sends requests to one authorization server: to hosts that the operator named wherever they are, to hosts that only
 * its metadata names at public addresses alone. https outside this machine; the address that was checked is the one
 * that is used; no redirects; 5 seconds and 1 MiB at most.
 */
export class AuthorityFetch {
  readonly #send: GuardedFetch
  #underWay = 0
  readonly #failed = new Map<string, { readonly at: number; readonly error: AuthorityError }>()

  /** `named`: the URLs of the configuration. */
  constructor(named: readonly URL[]) {
    this.#send = guardedFetch({ named, bodyBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS })
  }

  /** Rejects with an `AuthorityError` if there is no whole answer, or one that says that the server fails. */
  async fetch(url: URL, request: AuthorityRequest = {}): Promise<AuthorityReply> {
    const failed = this.#failed.get(url.href)
    if (failed !== undefined && performance.now() - failed.at < PAUSE_MS) throw failed.error
    if (this.#underWay >= MOST_AT_ONCE) {
      throw new AuthorityError('busy', `${MOST_AT_ONCE} requests to ${url.host} are under way already`)
    }
    this.#underWay += 1
    try {
      const reply = await this.#send(url, request)
      if (reply.status >= 500 || reply.status === 429) {
        throw new AuthorityError('status', `${url.href} answered ${reply.status}`)
      }
      this.#failed.delete(url.href)
      return reply
    } catch (cause) {
      const error = cause instanceof AuthorityError ? cause : failureOf(cause)
      this.#failed.set(url.href, { at: performance.now(), error })
      throw error
    } finally {
      this.#underWay -= 1
    }
  }
}

/** Reads an answer as a JSON object. Throws an `AuthorityError` for other statuses than 200, and for anything else. */
export function readJson(url: URL, { status, body }: AuthorityReply): Readonly<Record<string, unknown>> {
  if (status !== 200) throw new AuthorityError('status', `${url.href} answered ${status}, expected 200`)
  try {
    const value: unknown = JSON.parse(body.toString())
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // Said below.
  }
  throw new AuthorityError('content', `${url.href} answered something else than a JSON object`)
}

function failureOf(cause: unknown): AuthorityError {
  if (!(cause instanceof NetworkError)) return new AuthorityError('unreachable', String(cause), { cause })
  const code = CODES[cause.code]
  return new AuthorityError(code, cause.message, { cause })
}

const CODES: Readonly<Record<NetworkError['code'], AuthorityError['code']>> = {
  url: 'address',
  scheme: 'address',
  address: 'address',
  redirect: 'content',
  'too-large': 'too-large',
  encoding: 'content',
  time: 'unreachable',
  unreachable: 'unreachable',
}
