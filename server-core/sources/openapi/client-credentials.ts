import type { GuardedFetch } from '../../network/guarded-fetch.ts'
import type { ClientCredentials } from './token-request.ts'

/** Milliseconds before its end at which a token is not used any more. */
const SPARE_MS = 30_000

/** Access tokens of OAuth 2 client credentials (RFC 6749, section 4.4), asked for once and kept until they end. */
export class ClientCredentialsTokens {
  readonly #fetch: GuardedFetch
  readonly #kept = new Map<string, { readonly token: Promise<string>; until: number }>()

  constructor(fetch: GuardedFetch) {
    this.#fetch = fetch
  }

  /** Rejects with the error of the token endpoint. */
  async token(credentials: ClientCredentials): Promise<string> {
    const key = keyOf(credentials)
    const known = this.#kept.get(key)
    if (known !== undefined && known.until > Date.now()) return known.token
    const kept: { readonly token: Promise<string>; until: number } = {
      until: Infinity,
      token: this.#ask(credentials).then(({ token, until }) => {
        kept.until = until
        return token
      }),
    }
    this.#kept.set(key, kept)
    kept.token.catch(() => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key)
    })
    return kept.token
  }

  /** The token was refused: the next call asks for another. */
  forget(credentials: ClientCredentials): void {
    this.#kept.delete(keyOf(credentials))
  }

  async #ask(given: ClientCredentials): Promise<{ readonly token: string; readonly until: number }> {
    const { requestToken } = await import('./token-request.ts')
    const reply = await requestToken(given, this.#fetch)
    const seconds = reply.expires_in
    return {
      token: reply.access_token,
      until: seconds === undefined ? Infinity : Date.now() + Math.max(1_000, seconds * 1_000 - SPARE_MS),
    }
  }
}

function keyOf({ tokenUrl, clientId, scopes }: ClientCredentials): string {
  return JSON.stringify([tokenUrl, clientId, scopes])
}
