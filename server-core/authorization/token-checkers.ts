import { AuthorityFetch } from './authority-fetch.ts'
import { AuthorityMetadata } from './authority-metadata.ts'
import { Introspection } from './introspection.ts'
import {
  ASYMMETRIC_ALGORITHMS,
  configuredUrl,
  resourcesOf,
  type AuthorizationServerOptions,
  type ResourceServerOptions,
} from './options.ts'
import { SignedTokens } from './signed-tokens.ts'
import type { TokenChecker, Verdict } from './verdict.ts'

const CLOCK_TOLERANCE_S = 10
const KEY_COOLDOWN_MS = 30_000
const INTROSPECTION_CACHE_MS = 10_000
const UNKNOWN: Verdict = {
  valid: false,
  problem: 'The token is not of an authorization server of this server',
}

/** Leads each token to the authorization server that issued it. */
export class TokenCheckers implements TokenChecker {
  readonly #byIssuer = new Map<string, TokenChecker>()
  /** Tokens that name no issuer can only be asked about. */
  readonly #introspecting: TokenChecker[] = []

  constructor(options: ResourceServerOptions) {
    for (const server of options.authorizationServers) {
      const checker = checkerOf(server, options)
      this.#byIssuer.set(server.issuer, checker)
      if (server.introspection !== undefined) this.#introspecting.push(checker)
    }
  }

  async check(token: string): Promise<Verdict> {
    const named = this.#byIssuer.get(issuerOf(token) ?? '')
    if (named !== undefined) return named.check(token)
    let verdict = UNKNOWN
    for (const checker of this.#introspecting) {
      verdict = await checker.check(token)
      if (verdict.valid) break
    }
    return verdict
  }
}

function checkerOf(server: AuthorizationServerOptions, options: ResourceServerOptions): TokenChecker {
  const { issuer, introspection } = server
  const { clockToleranceS = CLOCK_TOLERANCE_S, keyCooldownMs = KEY_COOLDOWN_MS } = options
  const jwksUri = server.jwksUri === undefined ? undefined : configuredUrl(server.jwksUri, 'jwksUri')
  const endpoint =
    introspection?.endpoint === undefined
      ? undefined
      : configuredUrl(introspection.endpoint, 'introspection.endpoint')
  const fetch = new AuthorityFetch([new URL(issuer), jwksUri, endpoint].filter((url) => url !== undefined))
  const shared = {
    issuer,
    audiences: audiencesOf(options),
    clockToleranceS,
    metadata: new AuthorityMetadata(issuer, fetch),
    fetch,
  }
  if (introspection !== undefined) {
    const { clientId, clientSecret, cacheMs = INTROSPECTION_CACHE_MS } = introspection
    return new Introspection({ ...shared, clientId, clientSecret, cacheMs, endpoint })
  }
  return new SignedTokens({
    ...shared,
    jwksUri,
    keyCooldownMs,
    algorithms: server.algorithms ?? ASYMMETRIC_ALGORITHMS,
  })
}

/** A resource is the same with and without a slash at its end. */
function audiencesOf(options: ResourceServerOptions): readonly string[] {
  const resources = resourcesOf(options).flatMap((resource) => {
    const bare = resource.replace(/\/$/, '')
    return [resource, bare, `${bare}/`]
  })
  return [...new Set([...resources, ...(options.audiences ?? [])])]
}

/** The issuer that a token names, unchecked: it decides only which keys the token is checked with. */
function issuerOf(token: string): string | undefined {
  const [, payload, , more] = token.split('.')
  if (payload === undefined || more !== undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    if (typeof claims !== 'object' || claims === null || !('iss' in claims)) return undefined
    return typeof claims.iss === 'string' ? claims.iss : undefined
  } catch {
    return undefined
  }
}
