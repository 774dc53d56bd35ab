import type { RequestOptions } from 'node:http'
import { readBody } from './bounded-body.ts'
import { checkedLookup } from './checked-lookup.ts'
import { guardUrl, type GuardedUrl } from './guarded-url.ts'
import { NetworkError } from './network-error.ts'
import type { NetworkPolicy } from './policy.ts'

const BODY_BYTES = 1024 * 1024
const HEAD_BYTES = 32 * 1024
const TIMEOUT_MS = 10_000

/** Headers that go to another origin as well when a redirect leads there; all others may be credentials. */
const GO_ANYWHERE = new Set(['accept', 'accept-language', 'user-agent', 'mcp-protocol-version'])

const REDIRECTS = new Set([301, 302, 303, 307, 308])

export type GuardedRequest = {
  /** Default: GET. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal
}

export type GuardedResponse = {
  /** The URL that gave this answer: the last one of a chain of redirects. */
  readonly url: string
  readonly status: number
  /** Names in lower case; fields sent several times are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** Decompressed. */
  readonly body: Buffer
  /** The URLs that redirected, first to last. */
  readonly redirectedFrom: readonly string[]
}

export type GuardedFetch = (url: URL | string, request?: GuardedRequest) => Promise<GuardedResponse>

/**
 * Creates the only function that requests URLs named by a server. Each URL, each redirect and each address is checked by
 * `policy`; the address that was checked is the one connected to; the answer is bounded in bytes, decompressed bytes
 * and time. Proxies of the environment are not used, and no connection is kept. The result rejects with a
 * `NetworkError`, or with the reason of the request's own signal. (MCP specification, Security Best Practices: SSRF.)
 */
export function guardedFetch(policy: NetworkPolicy): GuardedFetch {
  return async (target, request = {}) => {
    const timeoutMs = policy.timeoutMs ?? TIMEOUT_MS
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal])
    let at = target
    try {
      return await follow(policy, target, { ...request, signal }, (url) => {
        at = url
      })
    } catch (cause) {
      if (cause instanceof NetworkError) throw cause
      request.signal?.throwIfAborted()
      const from = at instanceof URL ? at.href : at
      if (timeout.aborted) {
        throw new NetworkError('time', `${from} gave no whole answer within ${timeoutMs} ms`, { cause })
      }
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new NetworkError('unreachable', `${from} gave no answer: ${reason}`, { cause })
    }
  }
}

async function follow(
  policy: NetworkPolicy,
  target: URL | string,
  request: GuardedRequest,
  going: (url: URL) => void,
): Promise<GuardedResponse> {
  const method = (request.method ?? 'GET').toUpperCase()
  const most = method === 'GET' || method === 'HEAD' ? (policy.redirects ?? 0) : 0
  const redirectedFrom: string[] = []
  let headers = request.headers ?? {}
  let guarded = guardUrl(target, policy)
  for (;;) {
    going(guarded.url)
    const answer = await send(policy, guarded, { ...request, method, headers })
    const { location } = answer.headers
    if (most === 0 || location === undefined || !REDIRECTS.has(answer.status)) {
      return { ...answer, redirectedFrom }
    }
    redirectedFrom.push(guarded.url.href)
    if (redirectedFrom.length > most) {
      throw new NetworkError('redirect', `${redirectedFrom[0] ?? ''} redirects more than ${most} times`)
    }
    const next = URL.parse(location, guarded.url.href)
    if (next === null) {
      throw new NetworkError('redirect', `${guarded.url.href} redirects to ${JSON.stringify(location)}`)
    }
    if (guarded.url.protocol === 'https:' && next.protocol === 'http:') {
      throw new NetworkError('redirect', `${guarded.url.href} redirects from https to ${next.href}`)
    }
    if (next.origin !== guarded.url.origin) {
      headers = Object.fromEntries(
        Object.entries(headers).filter(([name]) => GO_ANYWHERE.has(name.toLowerCase())),
      )
    }
    guarded = guardUrl(next, policy)
  }
}

/** One request on a connection of its own. */
async function send(
  policy: NetworkPolicy,
  guarded: GuardedUrl,
  { method, headers, body, signal }: GuardedRequest,
): Promise<Omit<GuardedResponse, 'redirectedFrom'>> {
  const { url } = guarded
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const options: RequestOptions = {
    ...(method === undefined ? {} : { method }),
    headers: { 'accept-encoding': 'identity', ...headers, ...length },
    lookup: checkedLookup(guarded, policy.resolve),
    // An agent of its own: no proxy of the environment, no connection that others opened.
    agent: false,
    maxHeaderSize: policy.headBytes ?? HEAD_BYTES,
    ...(signal === undefined ? {} : { signal }),
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (response) => {
      readBody(response, policy.bodyBytes ?? BODY_BYTES, url.href)
        .then((whole) => {
          resolve({
            url: url.href,
            status: response.statusCode ?? 0,
            headers: joined(response.headersDistinct),
            body: whole,
          })
        }, reject)
        .finally(() => outgoing.destroy())
    })
    outgoing.on('error', (cause: NodeJS.ErrnoException) => {
      const isLongHead = cause.code === 'HPE_HEADER_OVERFLOW'
      const message = `the head of the answer of ${url.href} is over ${policy.headBytes ?? HEAD_BYTES} bytes`
      reject(isLongHead ? new NetworkError('too-large', message, { cause }) : cause)
    })
    outgoing.end(body)
  })
}

function joined(headers: NodeJS.Dict<string[]>): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(([name, values = []]) => [name, values.join(', ')] as const)
  return Object.fromEntries(entries)
}
