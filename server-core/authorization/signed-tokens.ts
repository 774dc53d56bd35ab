import type { JWTVerifyGetKey, JWTVerifyOptions, JWTVerifyResult } from 'jose'
import { AuthorityError, type AuthorityFetch } from './authority-fetch.ts'
import type { AuthorityMetadata } from './authority-metadata.ts'
import { isBoundToKey, principalOf, type TokenChecker, type Verdict } from './verdict.ts'

/** Milliseconds for which a checked signature is not checked again: then its key may have been withdrawn. */
const KEEP_MS = 60_000
/** Milliseconds for which the keys are taken as they were. */
const KEYS_KEPT_MS = 600_000
/** Media types of access tokens (RFC 9068); many servers write no more than JWT, or nothing. */
const ACCESS_TOKEN_TYPES = new Set(['at+jwt', 'jwt'])

type Jose = typeof import('jose')

export type SignedTokensOptions = {
  readonly issuer: string
  readonly audiences: readonly string[]
  readonly algorithms: readonly string[]
  readonly clockToleranceS: number
  readonly keyCooldownMs: number
  /** Where the keys are, if the configuration says so. */
  readonly jwksUri: URL | undefined
  readonly metadata: AuthorityMetadata
  readonly fetch: AuthorityFetch
}

/** Checks signed tokens (RFC 7519, RFC 9068) with the public keys of their issuer. */
export class SignedTokens implements TokenChecker {
  readonly #options: SignedTokensOptions
  #keys: { readonly at: string; readonly get: JWTVerifyGetKey } | undefined

  constructor(options: SignedTokensOptions) {
    this.#options = options
  }

  async check(token: string): Promise<Verdict> {
    const jose = await import('jose')
    try {
      return this.#verdict(await this.#verify(jose, token))
    } catch (error) {
      if (error instanceof AuthorityError) throw error
      const problem = problemOf(jose, error)
      if (problem !== undefined) return { valid: false, problem }
      throw new AuthorityError(
        'content',
        `the keys of ${this.#options.issuer} cannot be used: ${String(error)}`,
        {
          cause: error,
        },
      )
    }
  }

  async #verify(jose: Jose, token: string): Promise<JWTVerifyResult> {
    const { issuer, audiences, algorithms, clockToleranceS } = this.#options
    const options: JWTVerifyOptions = {
      issuer,
      audience: [...audiences],
      algorithms: [...algorithms],
      clockTolerance: clockToleranceS,
      requiredClaims: ['exp'],
    }
    const keys = await this.#getKeys(jose)
    try {
      return await jose.jwtVerify(token, keys, options)
    } catch (error) {
      if (!(error instanceof jose.errors.JWKSMultipleMatchingKeys)) throw error
      // The token does not say which key it was signed with.
      for await (const key of error) {
        try {
          return await jose.jwtVerify(token, key, options)
        } catch (failure) {
          if (!(failure instanceof jose.errors.JWSSignatureVerificationFailed)) throw failure
        }
      }
      throw new jose.errors.JWSSignatureVerificationFailed()
    }
  }

  #verdict({ payload, protectedHeader }: JWTVerifyResult): Verdict {
    const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '')
    if (type !== undefined && !ACCESS_TOKEN_TYPES.has(type)) {
      return { valid: false, problem: 'The token is of another type than an access token' }
    }
    if (isBoundToKey(payload))
      return { valid: false, problem: 'The token is bound to a key, so it is not a bearer token' }
    const { issuer, clockToleranceS } = this.#options
    return {
      valid: true,
      principal: principalOf(issuer, payload),
      expiresAt: ((payload.exp ?? 0) + clockToleranceS) * 1_000,
      keepMs: KEEP_MS,
    }
  }

  async #getKeys(jose: Jose): Promise<JWTVerifyGetKey> {
    const { jwksUri, metadata, fetch, keyCooldownMs } = this.#options
    const url = jwksUri ?? (await metadata.endpoint('jwks_uri'))
    if (this.#keys?.at === url.href) return this.#keys.get
    const get = jose.createRemoteJWKSet(url, {
      cooldownDuration: keyCooldownMs,
      cacheMaxAge: KEYS_KEPT_MS,
      [jose.customFetch]: async () => {
        const { status, body } = await fetch.fetch(url)
        if (status !== 200) throw new AuthorityError('status', `${url.href} answered ${status}, expected 200`)
        return new Response(new Uint8Array(body))
      },
    })
    this.#keys = { at: url.href, get }
    return get
  }
}

/** Returns what is wrong with a token, or undefined if the fault is not the token's. */
function problemOf({ errors }: Jose, error: unknown): string | undefined {
  if (error instanceof errors.JWTExpired) return 'The token has expired'
  if (error instanceof errors.JWTClaimValidationFailed) {
    switch (error.claim) {
      case 'aud':
        return 'The token was issued for another server'
      case 'nbf':
        return 'The token is not valid yet'
      case 'exp':
        return 'The token says no time at which it expires'
      default:
        return `The token is not valid (${error.claim})`
    }
  }
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported) {
    return 'The token is signed in a way that is not accepted'
  }
  const isToken =
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JWKSNoMatchingKey
  return isToken ? 'The token is not valid' : undefined
}
