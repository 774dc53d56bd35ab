import { AuthorityError, readJson, type AuthorityFetch } from './authority-fetch.ts'

/** Milliseconds for which what a server says of itself is taken as it was. */
const KEPT_MS = 3_600_000

type Metadata = Readonly<Record<string, unknown>>

/** What an authorization server says of itself (RFC 8414, OpenID Connect Discovery), found once and kept for an hour. */
export class AuthorityMetadata {
  readonly #issuer: string
  readonly #fetch: AuthorityFetch
  #found: { readonly at: number; readonly metadata: Promise<Metadata> } | undefined

  constructor(issuer: string, fetch: AuthorityFetch) {
    this.#issuer = issuer
    this.#fetch = fetch
  }

  /**
   * The URL that the metadata has under `member` (`jwks_uri`, `introspection_endpoint`).
   * Rejects with an `AuthorityError` if there is none.
   */
  async endpoint(member: string): Promise<URL> {
    const value = (await this.#get())[member]
    const url = typeof value === 'string' ? URL.parse(value) : null
    if (url !== null) return url
    throw new AuthorityError('content', `the metadata of ${this.#issuer} has no URL in ${member}`)
  }

  #get(): Promise<Metadata> {
    const found = this.#found
    if (found !== undefined && performance.now() - found.at < KEPT_MS) return found.metadata
    const metadata = this.#discover()
    const kept = { at: performance.now(), metadata }
    this.#found = kept
    // What failed is asked for again by the next one.
    metadata.catch(() => {
      if (this.#found === kept) this.#found = found
    })
    return metadata
  }

  async #discover(): Promise<Metadata> {
    let failure: unknown
    for (const url of wellKnownUrls(this.#issuer)) {
      try {
        const metadata = readJson(url, await this.#fetch.fetch(url))
        if (metadata['issuer'] === this.#issuer) return metadata
        failure ??= new AuthorityError('content', `${url.href} is of another issuer than ${this.#issuer}`)
      } catch (error) {
        failure ??= error
      }
    }
    throw failure
  }
}

/** Where the metadata of an issuer may be, in the order in which it is looked for (specification: Authorization). */
export function wellKnownUrls(issuer: string): readonly URL[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const places = [
    `/.well-known/oauth-authorization-server${path}`,
    `/.well-known/openid-configuration${path}`,
    ...(path === '' ? [] : [`${path}/.well-known/openid-configuration`]),
  ]
  return places.map((place) => new URL(place, origin))
}
