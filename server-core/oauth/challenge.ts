/** What a server asks for (RFC 6750, RFC 9728), as far as this client knows it. */
export type Challenge = {
  readonly scheme: 'bearer' | 'dpop'
  /** Where the server's metadata is. */
  readonly resourceMetadata?: string
  readonly scope?: string
  readonly error?: string
  readonly errorDescription?: string
}

/** Stands for the challenge where none came. */
export const NO_CHALLENGE: Challenge = { scheme: 'bearer' }

export type AuthenticateChallenge = {
  /** In lower case. */
  readonly scheme: string
  readonly parameters: Readonly<Record<string, string>>
}

/** Characters of a header that are looked at. */
const MAX_LENGTH = 16_384
const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y
const SPACE = /[ \t]*/y
const QUOTED = /"((?:[^"\\]|\\.)*)"/sy
const UNTIL_COMMA = /[^,]*/y

/**
 * Reads a `WWW-Authenticate` header, which may have several challenges, each with parameters (RFC 9110, 11.6.1). What
 * cannot be read is skipped, up to the next comma.
 */
export function readAuthenticate(header: string): readonly AuthenticateChallenge[] {
  const text = header.slice(0, MAX_LENGTH)
  const found: { scheme: string; parameters: Map<string, string> }[] = []
  let at = 0
  let begins = true
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match !== null) at = pattern.lastIndex
    return match
  }
  while (at < text.length) {
    take(SPACE)
    if (text[at] === ',') {
      at += 1
      begins = true
      continue
    }
    const word = take(TOKEN)?.[0]
    take(SPACE)
    const last = found.at(-1)
    if (word !== undefined && text[at] === '=' && last !== undefined) {
      at += 1
      take(SPACE)
      const value = take(QUOTED)?.[1]?.replaceAll(/\\(.)/gs, '$1') ?? take(TOKEN)?.[0]
      const name = word.toLowerCase()
      if (value === undefined) take(UNTIL_COMMA)
      else if (!last.parameters.has(name)) last.parameters.set(name, value)
    } else if (word !== undefined && begins) {
      found.push({ scheme: word.toLowerCase(), parameters: new Map() })
    } else {
      // Credentials in one word (token68), or nothing that is known.
      take(UNTIL_COMMA)
    }
    begins = false
  }
  return found.map(({ scheme, parameters }) => ({ scheme, parameters: Object.fromEntries(parameters) }))
}

/** What a challenge says, for people; empty if nothing. */
export function challengeWords(challenge: Challenge): string {
  const { resourceMetadata, scope, error, errorDescription } = challenge
  return [
    ...(error === undefined
      ? []
      : [`error ${error}${errorDescription === undefined ? '' : ` (${errorDescription})`}`]),
    ...(scope === undefined ? [] : [`scope ${scope}`]),
    ...(resourceMetadata === undefined ? [] : [`metadata at ${resourceMetadata}`]),
  ].join(', ')
}

/** What the headers of a 401 or 403 ask for; a server that names nothing asks for a bearer token. */
export function challengeOf(headers: Readonly<Record<string, string>>): Challenge {
  const challenges = readAuthenticate(headers['www-authenticate'] ?? '')
  const bearer = challenges.find(({ scheme }) => scheme === 'bearer')
  const chosen = bearer ?? challenges.find(({ scheme }) => scheme === 'dpop')
  const { resource_metadata, scope, error, error_description } = chosen?.parameters ?? {}
  return {
    scheme: chosen?.scheme === 'dpop' ? 'dpop' : 'bearer',
    ...(resource_metadata === undefined ? {} : { resourceMetadata: resource_metadata }),
    ...(scope === undefined || scope.trim() === '' ? {} : { scope: scope.trim() }),
    ...(error === undefined ? {} : { error }),
    ...(error_description === undefined ? {} : { errorDescription: error_description }),
  }
}
