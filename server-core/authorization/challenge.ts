/** What a `WWW-Authenticate: Bearer` says (RFC 6750, RFC 9728); `error` is left out if no token came. */
export type Challenge = {
  readonly error?: 'invalid_token' | 'insufficient_scope'
  readonly error_description?: string
  readonly scope?: string
  readonly resource_metadata: string
}

/** Writes the challenge as a header value: printable ASCII, quoted, so that nothing in it ends a parameter. */
export function bearerChallenge(challenge: Challenge): string {
  const parameters = Object.entries(challenge).map(([name, value]) => `${name}="${quotable(value)}"`)
  return `Bearer ${parameters.join(', ')}`
}

function quotable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\]/g, "'")
}
