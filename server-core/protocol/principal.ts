import type { JsonObject } from './json.ts'

/**
 * Who an access token speaks for (OAuth 2.1), as far as the token says; or who sends a named token of the server's own.
 * Plain data: handlers get it as it is.
 */
export type Principal = {
  /** The authorization server that issued the token; `patchbay` for a named token of the server's own. */
  readonly issuer: string
  /** The user, or the client itself where there is no user; the name of a named token. */
  readonly subject?: string
  readonly clientId?: string
  /** The scopes granted, in the token's order. */
  readonly scopes: readonly string[]
  /** Everything the authorization server says of the token. */
  readonly claims: JsonObject
}
