import { guardedFetch, type GuardedFetch } from './guarded-fetch.ts'
import type { NetworkPolicy } from './policy.ts'

/** Statuses whose `Response` must have no body. */
const WITHOUT_BODY = new Set([101, 103, 204, 205, 304])

/**
 * The guarded fetch for libraries that take a `fetch` of the web platform: the same rules, the same errors. Bodies are
 * strings, bytes or `URLSearchParams`.
 */
export function webFetch(
  policyOrFetch: NetworkPolicy | GuardedFetch,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  const send = typeof policyOrFetch === 'function' ? policyOrFetch : guardedFetch(policyOrFetch)
  return async (url, { method, headers, body, signal } = {}) => {
    const fields = new Headers(headers)
    if (body instanceof URLSearchParams && !fields.has('content-type')) {
      fields.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8')
    }
    const reply = await send(url, {
      ...(method === undefined ? {} : { method }),
      headers: Object.fromEntries(fields),
      ...(body === undefined || body === null ? {} : { body: bytesOf(body) }),
      ...(signal === undefined || signal === null ? {} : { signal }),
    })
    const { 'content-encoding': _decoded, 'content-length': _length, ...kept } = reply.headers
    const whole = WITHOUT_BODY.has(reply.status) ? null : new Uint8Array(reply.body)
    return new Response(whole, { status: reply.status, headers: kept })
  }
}

function bytesOf(body: NonNullable<RequestInit['body']>): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('A guarded request takes a body of text, bytes or URLSearchParams.')
}
