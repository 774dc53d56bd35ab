import { createHash, randomUUID } from 'node:crypto'
import type { AccessRefusal, AuthorizedRequest } from '../../ports/client-authorization.ts'
import { readAuthenticate } from '../challenge.ts'
import type { TokenPresentation } from '../grant.ts'
import { OAuthError } from '../oauth-error.ts'
import { dpopKey, type DpopKey } from './dpop-key.ts'
import type { GrantSecrets } from './grant-secrets.ts'
import type { DpopSettings } from './settings.ts'

/** Characters of a nonce that is sent back. */
const MAX_NONCE = 1_024

/**
 * Presents tokens that are bound to a key (RFC 9449): each request, to the token endpoint and to the server, carries a
 * proof of its own, signed for its method and URL, and with the nonce that each side asked for last.
 */
export class DpopPresentation implements TokenPresentation {
  readonly #settings: DpopSettings
  readonly #secrets: GrantSecrets
  /** Nonces of token endpoints, by origin. */
  readonly #nonces = new Map<string, string>()
  #serverNonce: string | undefined
  #key: Promise<DpopKey> | undefined

  constructor(settings: DpopSettings, secrets: GrantSecrets) {
    this.#settings = settings
    this.#secrets = secrets
  }

  async tokenRequestHeaders(request: AuthorizedRequest): Promise<Readonly<Record<string, string>>> {
    return { dpop: await this.#proof(request, this.#nonces.get(new URL(request.url).origin)) }
  }

  tokenReply(url: string, status: number, headers: Headers, body: string): boolean {
    const { origin } = new URL(url)
    const earlier = this.#nonces.get(origin)
    const nonce = nonceOf(headers.get('dpop-nonce'))
    if (nonce !== undefined) this.#nonces.set(origin, nonce)
    return status >= 400 && nonce !== undefined && nonce !== earlier && errorIn(body) === 'use_dpop_nonce'
  }

  async headers(
    request: AuthorizedRequest,
    { accessToken, tokenType }: { readonly accessToken: string; readonly tokenType: string },
  ): Promise<Readonly<Record<string, string>>> {
    if (tokenType !== 'dpop') {
      if (this.#settings.allowUnbound === true) return { authorization: `Bearer ${accessToken}` }
      throw new OAuthError(
        'token',
        'DPoP is set for this server, and its authorization server gave a token that is bound to no key. Switch DPoP off, or allow such tokens, in the authorization settings of this server.',
      )
    }
    return {
      authorization: `DPoP ${accessToken}`,
      dpop: await this.#proof(request, this.#serverNonce, accessToken),
    }
  }

  responded(headers: Readonly<Record<string, string>>): void {
    const nonce = nonceOf(headers['dpop-nonce'])
    if (nonce !== undefined) this.#serverNonce = nonce
  }

  challenged({ status, headers, sent }: AccessRefusal): boolean {
    this.responded(headers)
    if (status !== 401) return false
    const isAsked = readAuthenticate(headers['www-authenticate'] ?? '').some(
      ({ scheme, parameters }) => scheme === 'dpop' && parameters['error'] === 'use_dpop_nonce',
    )
    const nonce = nonceOf(headers['dpop-nonce'])
    // A server that refuses the very nonce that it gave would refuse it for ever.
    return isAsked && nonce !== undefined && nonce !== nonceIn(sent?.['dpop'])
  }

  /** A proof is good once: for this request, at this time (RFC 9449, 4.2). */
  async #proof(
    { method, url }: AuthorizedRequest,
    nonce: string | undefined,
    accessToken?: string,
  ): Promise<string> {
    this.#key ??= dpopKey(this.#settings.algorithm ?? 'ES256', this.#secrets).catch((error: unknown) => {
      this.#key = undefined
      throw error
    })
    const [{ algorithm, key, publicJwk }, { SignJWT }] = await Promise.all([this.#key, import('jose')])
    return new SignJWT({
      jti: randomUUID(),
      htm: method.toUpperCase(),
      htu: targetOf(url),
      ...(nonce === undefined ? {} : { nonce }),
      ...(accessToken === undefined
        ? {}
        : { ath: createHash('sha256').update(accessToken).digest('base64url') }),
    })
      .setProtectedHeader({ alg: algorithm, typ: 'dpop+jwt', jwk: publicJwk })
      .setIssuedAt()
      .sign(key)
  }
}

/** The URL without query and fragment; a WebSocket begins with a request over HTTP. */
function targetOf(url: string): string {
  const target = new URL(url.replace(/^ws(s?):/i, 'http$1:'))
  return target.origin + target.pathname
}

function nonceOf(header: string | null | undefined): string | undefined {
  if (header === null || header === undefined) return undefined
  const isOne = header.length > 0 && header.length <= MAX_NONCE && /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(header)
  return isOne ? header : undefined
}

function errorIn(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && 'error' in value ? value.error : undefined
  } catch {
    return undefined
  }
}

function nonceIn(proof: string | undefined): unknown {
  const [, payload] = proof?.split('.') ?? []
  if (payload === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return typeof claims === 'object' && claims !== null && 'nonce' in claims ? claims.nonce : undefined
  } catch {
    return undefined
  }
}
