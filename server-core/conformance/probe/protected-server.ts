/** How a token differs from a good one. */
export type TokenChange = {
  readonly audience?: string
  readonly issuer?: string
  /** Seconds from now; negative for a token that has expired. */
  readonly expiresInS?: number
  readonly scope?: string
  readonly subject?: string
  readonly claims?: Readonly<Record<string, unknown>>
}

/** A server that wants a token (Streamable HTTP), and good tokens for it. */
export type ProtectedServer = {
  readonly url: string
  readonly token: string
  /** A good token of another principal. */
  readonly secondToken?: string
  /** Makes tokens that the server must accept or refuse. */
  readonly mint?: (change: TokenChange) => Promise<string>
}
