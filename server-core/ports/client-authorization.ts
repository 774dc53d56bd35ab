/** What an authorization needs to know of a request that is about to be sent. */
export type AuthorizedRequest = { readonly method: string; readonly url: string }

/** A reply that refuses access: HTTP 401 or 403. Names of headers are in lower case. */
export type AccessRefusal = AuthorizedRequest & {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** What `headers` gave for the request that was refused: by now there may be a newer token. */
  readonly sent?: Readonly<Record<string, string>>
}

/** Authorizes a client transport over the network (authorization: access token usage). */
export interface ClientAuthorization {
  /** The headers of one request, made afresh for each. An `Error` says why access cannot be had. */
  headers(request: AuthorizedRequest): Promise<Readonly<Record<string, string>>>
  /**
   * Receives that access was refused. Resolves with true if the request is worth sending again with fresh headers.
   * An `Error` says why authorization failed.
   */
  challenged(refusal: AccessRefusal): Promise<boolean>
  /** Receives status and headers of every reply: that a token is taken, and a DPoP nonce, which comes with any of them. */
  responded?(headers: Readonly<Record<string, string>>, status: number): void
}

/** How often one request is sent again after a refusal: once for a token, once for a nonce, once for a wider scope. */
export const MAX_CHALLENGES = 3
