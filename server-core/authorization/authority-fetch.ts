import type { LookupAddress, LookupOptions } from 'node:dns'
import type { RequestOptions } from 'node:http'
import { isIP } from 'node:net'
import { isLoopbackHost } from '../transports/host-name.ts'
import { mayReach } from './addresses.ts'

/** Milliseconds that one answer of an authorization server may take, whole. */
const TIMEOUT_MS = 5_000
/** Bytes of one answer. */
const MAX_BYTES = 1024 * 1024
/** Requests to one server under way at once: callers who send tokens that are none must not become a flood there. */
const MOST_AT_ONCE = 256
/** Milliseconds for which a server that failed is not asked the same again. */
const PAUSE_MS = 1_000

/**
 * The authorization server gave no answer that can be used: its tokens can be neither taken nor refused now.
 * `message` is for the log of this server, not for callers.
 */
export class AuthorityError extends Error {
  override readonly name = 'AuthorityError'
  readonly code: 'unreachable' | 'busy' | 'address' | 'too-large' | 'status' | 'content'

  constructor(code: AuthorityError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
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
  readonly #namedHosts: ReadonlySet<string>
  #underWay = 0
  readonly #failed = new Map<string, { readonly at: number; readonly error: AuthorityError }>()

  /** `named`: the URLs of the configuration. */
  constructor(named: readonly URL[]) {
    this.#namedHosts = new Set(named.map((url) => url.hostname))
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
      const reply = await this.#fetch(url, request)
      if (reply.status >= 500 || reply.status === 429) {
        throw new AuthorityError('status', `${url.href} answered ${reply.status}`)
      }
      this.#failed.delete(url.href)
      return reply
    } catch (cause) {
      const error =
        cause instanceof AuthorityError
          ? cause
          : new AuthorityError('unreachable', `${url.href} gave no answer: ${reasonOf(cause)}`, { cause })
      this.#failed.set(url.href, { at: performance.now(), error })
      throw error
    } finally {
      this.#underWay -= 1
    }
  }

  async #fetch(url: URL, { method = 'GET', headers = {}, body }: AuthorityRequest): Promise<AuthorityReply> {
    const isNamed = this.#namedHosts.has(url.hostname)
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const isHere = url.protocol === 'http:' && isNamed && isLoopbackHost(host)
    if (url.protocol !== 'https:' && !isHere) {
      throw new AuthorityError('address', `${url.href} must be https`)
    }
    if (url.username !== '' || url.password !== '') {
      throw new AuthorityError('address', `the URL at ${url.host} must hold no user`)
    }
    if (isIP(host) !== 0 && !mayReach(host, isNamed)) throw refusedAddress(url, host)
    const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
    const lookup = await checkedLookup(url, isNamed)
    const options: RequestOptions = {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
      lookup,
      agent: false,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }
    return new Promise((resolve, reject) => {
      const outgoing = request(url, options, (response) => {
        const chunks: Buffer[] = []
        let length = 0
        response.on('data', (chunk: Buffer) => {
          length += chunk.length
          if (length <= MAX_BYTES) chunks.push(chunk)
          else {
            const message = `the answer of ${url.href} is over ${MAX_BYTES} bytes`
            outgoing.destroy(new AuthorityError('too-large', message))
          }
        })
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks, length) })
        })
        response.on('error', reject)
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
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

type Found = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/** Resolves a name to addresses that may be reached, and fails if one of them may not. */
async function checkedLookup(url: URL, isNamed: boolean) {
  const { lookup } = await import('node:dns')
  return (hostname: string, options: LookupOptions, found: Found): void => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        found(error, [])
        return
      }
      const refused = addresses.find(({ address }) => !mayReach(address, isNamed))
      const [first] = addresses
      if (refused !== undefined || first === undefined) {
        found(refusedAddress(url, refused?.address ?? 'nothing'), [])
      } else if (options.all === true) found(null, addresses)
      else found(null, first.address, first.family)
    })
  }
}

function refusedAddress(url: URL, address: string): AuthorityError {
  return new AuthorityError(
    'address',
    `${url.host} is at ${address}, which the metadata of an authorization server may not name`,
  )
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.name === 'TimeoutError' || cause.name === 'AbortError'
    ? `not within ${TIMEOUT_MS} ms`
    : cause.message
}
