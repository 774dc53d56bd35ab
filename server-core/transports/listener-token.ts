import { createHash, timingSafeEqual } from 'node:crypto'
import { ANONYMOUS, type Admitted, type Authorization, type Refused } from './authorization-port.ts'

/**
 * One bearer token that everybody shares (RFC 6750), compared in constant time. `token` is read at each request, so
 * a new one holds at once; while it gives undefined everybody is the anonymous caller.
 */
export class SharedToken implements Authorization {
  readonly #token: () => string | undefined

  constructor(token: () => string | undefined) {
    this.#token = token
  }

  stillAdmits(caller: string): boolean {
    const expected = this.#token()
    return expected === undefined || caller === nameOfBearer(digestOf(expected))
  }

  admit(authorization: string | undefined): Admitted | Refused {
    const expected = this.#token()
    if (expected === undefined) return ANONYMOUS
    if (authorization === undefined) return refused('Bearer', 'a bearer token is required')
    const given = readBearer(authorization)
    const digest = digestOf(expected)
    if (given !== undefined && timingSafeEqual(digestOf(given), digest)) {
      return { caller: nameOfBearer(digest) }
    }
    const challenge = 'Bearer error="invalid_token", error_description="The token is not valid"'
    const reason =
      given === undefined ? 'expected a bearer token' : 'the bearer token is not the one that is expected'
    return refused(challenge, reason)
  }
}

/**
 * What gives the token at each request. Throws a `TypeError` for what is neither a text nor a function, and for an
 * empty text, which no client could send.
 */
export function tokenReader(
  token: string | (() => string | undefined) | undefined,
): () => string | undefined {
  if (token === undefined) return () => undefined
  if (typeof token === 'function') return token
  if (typeof token === 'string' && token !== '') return () => token
  const came = typeof token === 'string' ? 'an empty text' : typeof token
  throw new TypeError(
    `The token of a listener is a text that is not empty, or a function that gives one; got ${came}.`,
  )
}

/** The token of an `Authorization: Bearer` header, or undefined if it is something else (RFC 6750, 2.1). */
function readBearer(authorization: string): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1]
}

function refused(challenge: string, reason: string): Refused {
  const headers = { 'www-authenticate': challenge }
  return { status: 401, reason: `Unauthorized: ${reason}`, headers }
}

function nameOfBearer(digest: Buffer): string {
  return `token ${digest.toString('base64url')}`
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
