import { createHash, timingSafeEqual } from 'node:crypto'
import { ANONYMOUS, type Admitted, type Authorization, type Refused } from '../ports/authorization-port.ts'

/** A bearer token of a listener's own. Two tokens are two callers: neither reaches the other's sessions. */
export type NamedToken = {
  /** What handlers, logs and the list of clients call whoever sends it. */
  readonly name?: string
  readonly token: string
}

/** Where an option of a listener takes its tokens from; a function is asked at each request. */
export type TokenSource =
  string | readonly NamedToken[] | (() => string | readonly NamedToken[] | undefined) | undefined

/** What `ctx.principal.issuer` is for a caller known by a token of the listener's own. */
export const OWN_ISSUER = 'patchbay'

type Expected = { readonly digest: Buffer; readonly admitted: Admitted }

/**
 * Bearer tokens of the listener's own (RFC 6750), compared in constant time: the time of a comparison depends neither on
 * the token nor on which of them it is. They are read at each request, so a change takes effect at once. Without
 * tokens everybody is the anonymous caller.
 */
export class BearerTokens implements Authorization {
  readonly #read: () => readonly NamedToken[]
  #known: readonly NamedToken[] = []
  #expected: readonly Expected[] = []

  constructor(read: () => readonly NamedToken[]) {
    this.#read = read
  }

  stillAdmits(caller: string): boolean {
    const expected = this.#tokens()
    return expected.length === 0 || expected.some(({ admitted }) => admitted.caller === caller)
  }

  admit(authorization: string | undefined): Admitted | Refused {
    const expected = this.#tokens()
    if (expected.length === 0) return ANONYMOUS
    if (authorization === undefined) return refused('Bearer', 'a bearer token is required')
    const given = readBearer(authorization)
    if (given === undefined) return invalid('expected a bearer token')
    const digest = digestOf(given)
    let found: Admitted | undefined
    for (const each of expected) if (timingSafeEqual(digest, each.digest)) found = each.admitted
    if (found !== undefined) return found
    return invalid(
      expected.length === 1
        ? 'the bearer token is not the one that is expected'
        : 'the bearer token is not one of the expected tokens',
    )
  }

  #tokens(): readonly Expected[] {
    const now = this.#read()
    if (now !== this.#known && !isSame(now, this.#known)) {
      this.#known = now
      this.#expected = now.map(expectedOf)
    }
    return this.#expected
  }
}

/**
 * Returns a function that returns the present tokens. Throws a `TypeError` for anything but a text, a list of tokens or a
 * function, and for an empty text, which no client could send.
 */
export function tokenReader(source: TokenSource): () => readonly NamedToken[] {
  if (typeof source === 'function') return () => tokensOf(source())
  const tokens = tokensOf(source)
  return () => tokens
}

function tokensOf(source: string | readonly NamedToken[] | undefined): readonly NamedToken[] {
  if (source === undefined) return []
  const tokens: unknown = typeof source === 'string' ? [{ token: source }] : source
  if (!Array.isArray(tokens)) {
    throw new TypeError(
      `The token of a listener is a text, a list of tokens, or a function that returns one; got ${typeof source}.`,
    )
  }
  for (const each of tokens as readonly Partial<NamedToken>[]) {
    if (typeof each.token === 'string' && each.token !== '') continue
    const came = each.token === '' ? 'an empty text' : typeof each.token
    throw new TypeError(`A token of a listener is a text that is not empty; got ${came}.`)
  }
  return tokens as readonly NamedToken[]
}

function isSame(one: readonly NamedToken[], other: readonly NamedToken[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ name, token }, index) => token === other[index]?.token && name === other[index].name)
  )
}

function expectedOf({ name, token }: NamedToken): Expected {
  const digest = digestOf(token)
  const caller = `token ${digest.toString('base64url')}`
  if (name === undefined) return { digest, admitted: { caller } }
  const principal = { issuer: OWN_ISSUER, subject: name, scopes: [], claims: {} }
  return { digest, admitted: { caller, principal } }
}

/** The token of an `Authorization: Bearer` header, or undefined if it is something else (RFC 6750, 2.1). */
function readBearer(authorization: string): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1]
}

function invalid(reason: string): Refused {
  return refused('Bearer error="invalid_token", error_description="The token is not valid"', reason)
}

function refused(challenge: string, reason: string): Refused {
  const headers = { 'www-authenticate': challenge }
  return { status: 401, reason: `Unauthorized: ${reason}`, headers }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
