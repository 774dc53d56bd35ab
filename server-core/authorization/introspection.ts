import type { AuthorityFetch } from './authority-fetch.ts'
import { readJson } from './authority-fetch.ts'
import type { AuthorityMetadata } from './authority-metadata.ts'
import { audiencesIn, isBoundToKey, principalOf, type TokenChecker, type Verdict } from './verdict.ts'

export type IntrospectionCheckOptions = {
  readonly issuer: string
  readonly audiences: readonly string[]
  readonly clockToleranceS: number
  readonly clientId: string
  readonly clientSecret: string
  readonly cacheMs: number
  /** Where to ask, if the configuration says so. */
  readonly endpoint: URL | undefined
  readonly metadata: AuthorityMetadata
  readonly fetch: AuthorityFetch
}

/** Asks the authorization server about each token (RFC 7662). */
export class Introspection implements TokenChecker {
  readonly #options: IntrospectionCheckOptions

  constructor(options: IntrospectionCheckOptions) {
    this.#options = options
  }

  async check(token: string): Promise<Verdict> {
    const { issuer, audiences, clientId, clientSecret, endpoint, metadata, fetch } = this.#options
    const url = endpoint ?? (await metadata.endpoint('introspection_endpoint'))
    const credentials = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`
    const reply = await fetch.fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
    })
    const claims = readJson(url, reply)
    if (claims['active'] !== true) return { valid: false, problem: 'The token is not active' }
    if (claims['iss'] !== undefined && claims['iss'] !== issuer) {
      return { valid: false, problem: 'The token is not valid (iss)' }
    }
    if (!audiencesIn(claims['aud']).some((audience) => audiences.includes(audience))) {
      return { valid: false, problem: 'The token was issued for another server' }
    }
    if (isBoundToKey(claims))
      return { valid: false, problem: 'The token is bound to a key, so it is not a bearer token' }
    return this.#timely(claims)
  }

  #timely(claims: Readonly<Record<string, unknown>>): Verdict {
    const { issuer, clockToleranceS, cacheMs } = this.#options
    const { exp, nbf } = claims
    const now = Date.now() / 1_000
    const expiresAt = typeof exp === 'number' ? (exp + clockToleranceS) * 1_000 : undefined
    if (expiresAt !== undefined && expiresAt <= Date.now()) {
      return { valid: false, problem: 'The token has expired' }
    }
    if (typeof nbf === 'number' && nbf > now + clockToleranceS) {
      return { valid: false, problem: 'The token is not valid yet' }
    }
    return { valid: true, principal: principalOf(issuer, claims), expiresAt, keepMs: cacheMs }
  }
}

/** Credentials are encoded as in forms before they are joined (RFC 6749, 2.3.1). */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}
