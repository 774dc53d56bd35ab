import type { HttpRequest } from './http-exchange.ts'

/** A body, or why there is none: `too-large`, or `gone` when the client went away. */
export type Body = { readonly bytes: Buffer } | { readonly missing: 'too-large' | 'gone' }

/**
 * Collects the body of a request; `done` is called once. A body that is longer than `maxBytes` is not kept. Nothing of it
 * is held afterwards: the request may be one that stays open.
 */
export function collectBody(request: HttpRequest, maxBytes: number, done: (body: Body) => void): void {
  if ('body' in request) {
    done({ bytes: request.body })
    return
  }
  let chunks: Buffer[] = []
  let length = 0
  const take = (chunk: Buffer) => {
    length += chunk.length
    if (length > maxBytes) finish({ missing: 'too-large' })
    else chunks.push(chunk)
  }
  const end = () => {
    const [only] = chunks
    finish({ bytes: chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length) })
  }
  const fail = () => {
    finish({ missing: 'gone' })
  }
  const finish = (body: Body) => {
    chunks = []
    request.off('data', take).off('end', end).off('error', fail).on('error', nobodyAsks)
    done(body)
  }
  request.on('data', take).on('end', end).on('error', fail)
}

/** That the client went away its response tells. */
function nobodyAsks(): void {
  // The error of a request that nobody listens to would end the process.
}

const JSON_TYPE = /^application\/json\s*(?:;|$)/i

/** Returns what the headers of a body break, with the HTTP status. */
export function bodyFault(
  request: HttpRequest,
): { readonly status: number; readonly reason: string } | undefined {
  const { 'content-type': type, 'content-encoding': encoding } = request.headers
  if (type !== 'application/json' && !JSON_TYPE.test(type ?? '')) {
    return { status: 415, reason: `Content-Type must be application/json, got ${type ?? 'none'}` }
  }
  if (encoding !== undefined && encoding !== 'identity') {
    return { status: 415, reason: `Content-Encoding ${encoding} is not supported` }
  }
  return undefined
}

/** Returns why a client could not read both kinds of answer to its POST (specification: Streamable HTTP). */
export function acceptFault(
  request: HttpRequest,
): { readonly status: number; readonly reason: string } | undefined {
  const { accept } = request.headers
  if (accept === 'application/json, text/event-stream' || accept === '*/*') return undefined
  if (accepts(accept, 'application/json') && accepts(accept, 'text/event-stream')) return undefined
  return {
    status: 406,
    reason: `Accept must list application/json and text/event-stream, got ${accept ?? 'none'}`,
  }
}

/** Returns whether an Accept header takes a media type; a type with `q=0` is not taken. */
export function accepts(accept: string | undefined, type: string): boolean {
  return (accept ?? '').split(',').some((part) => {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    if (parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) return false
    return range === '*/*' || range === type || range === `${type.split('/')[0] ?? ''}/*`
  })
}
