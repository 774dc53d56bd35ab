import type { IncomingMessage } from 'node:http'

/** A body, or why there is none: `too-large`, or `gone` when the client went away. */
export type Body = { readonly bytes: Buffer } | { readonly missing: 'too-large' | 'gone' }

/**
 * Collects the body of a request; `done` is called once. A body that is longer than `maxBytes` is not kept.
 */
export function collectBody(request: IncomingMessage, maxBytes: number, done: (body: Body) => void): void {
  const chunks: Buffer[] = []
  let length = 0
  let finished = false
  const finish = (body: Body) => {
    if (finished) return
    finished = true
    done(body)
  }
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > maxBytes) {
      chunks.length = 0
      finish({ missing: 'too-large' })
    } else chunks.push(chunk)
  })
  request.on('end', () => {
    const [only] = chunks
    finish({ bytes: chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length) })
  })
  request.on('error', () => {
    finish({ missing: 'gone' })
  })
}

const JSON_TYPE = /^application\/json\s*(?:;|$)/i

/** Says what the headers of a body break, with the HTTP status. */
export function bodyFault(
  request: IncomingMessage,
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

/** Says why a client could not read both kinds of answer to its POST (specification: Streamable HTTP). */
export function acceptFault(
  request: IncomingMessage,
): { readonly status: number; readonly reason: string } | undefined {
  const { accept } = request.headers
  if (accept === 'application/json, text/event-stream' || accept === '*/*') return undefined
  if (accepts(accept, 'application/json') && accepts(accept, 'text/event-stream')) return undefined
  return {
    status: 406,
    reason: `Accept must list application/json and text/event-stream, got ${accept ?? 'none'}`,
  }
}

/** Tells whether an Accept header takes a media type; a type with `q=0` is not taken. */
export function accepts(accept: string | undefined, type: string): boolean {
  return (accept ?? '').split(',').some((part) => {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    if (parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) return false
    return range === '*/*' || range === type || range === `${type.split('/')[0] ?? ''}/*`
  })
}
