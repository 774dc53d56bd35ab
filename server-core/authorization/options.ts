import { CodedError } from '../protocol/coded-error.ts'
import { isLoopbackHost } from '../ports/host-name.ts'

/** How the tokens of one authorization server are checked by asking it (RFC 7662). */
export type IntrospectionOptions = {
  /** As the server's metadata says, if not given. */
  readonly endpoint?: string
  /** This server's own credentials there. */
  readonly clientId: string
  readonly clientSecret: string
  /** Milliseconds for which a token that was active counts as active; 10,000 if not given, 0 asks each time. */
  readonly cacheMs?: number
}

export type AuthorizationServerOptions = {
  /** Exactly as its tokens and its metadata say it. */
  readonly issuer: string
  /** Where its public keys are (RFC 7517); as its metadata says (RFC 8414, OpenID Connect Discovery), if not given. */
  readonly jwksUri?: string
  /** Signature algorithms that are taken; every asymmetric one if not given. */
  readonly algorithms?: readonly string[]
  /** Asks the server about each token, in place of checking signatures here. */
  readonly introspection?: IntrospectionOptions
}

/** The scopes that requests need, beside those of the whole server. All that apply are needed together. */
export type RequiredScopes = {
  /** Needed by every request. */
  readonly server?: readonly string[]
  /** By JSON-RPC method, such as `tools/call`. */
  readonly methods?: Readonly<Record<string, readonly string[]>>
  /** By name of the tool that is called. */
  readonly tools?: Readonly<Record<string, readonly string[]>>
  /** By name of the prompt that is got. */
  readonly prompts?: Readonly<Record<string, readonly string[]>>
}

/** Which access tokens a resource server accepts (specification: Authorization). */
export type ResourceServerOptions = {
  /**
   * The public URL of the MCP endpoint, as clients write it: what tokens must be issued for (RFC 8707). Several if it
   * is reached at several; each gets a metadata document of its own. Never made of a request's Host header.
   */
  readonly resource: string | readonly string[]
  /** Whose tokens are taken: one at least. */
  readonly authorizationServers: readonly AuthorizationServerOptions[]
  /** Audiences that are taken beside the resource, for authorization servers that do not know RFC 8707. */
  readonly audiences?: readonly string[]
  readonly requiredScopes?: RequiredScopes
  /** Scopes that a scope includes, directly: `{ admin: ['write'], write: ['read'] }`. */
  readonly impliedScopes?: Readonly<Record<string, readonly string[]>>
  /** What the metadata lists; all of `requiredScopes` if not given. `offline_access` is never listed. */
  readonly scopesSupported?: readonly string[]
  /** For people (RFC 9728: resource_name, resource_documentation). */
  readonly name?: string
  readonly documentation?: string
  /** Seconds by which clocks may differ, 10 if not given. */
  readonly clockToleranceS?: number
  /** Milliseconds between two looks for keys that are not known yet, 30,000 if not given. */
  readonly keyCooldownMs?: number
}

/** The signature algorithms that need no shared secret (RFC 7518, RFC 8037, RFC 9864). */
export const ASYMMETRIC_ALGORITHMS: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/** The options of a resource server cannot work. */
export class AuthorizationOptionsError extends CodedError<'invalid-options'> {
  override readonly name = 'AuthorizationOptionsError'

  constructor(message: string, options?: ErrorOptions) {
    super('invalid-options', message, options)
  }
}

/**
 * Reads a URL of the configuration: https, or http on this machine alone; no user, no fragment.
 * Throws an `AuthorizationOptionsError` that names it by `what`.
 */
export function configuredUrl(text: string, what: string): URL {
  const url = URL.parse(text)
  if (url === null) throw new AuthorizationOptionsError(`${what} must be a URL, got "${text}"`)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(host))) {
    throw new AuthorizationOptionsError(`${what} must be https (http only on this machine), got "${text}"`)
  }
  if (url.username !== '' || url.password !== '' || text.includes('#')) {
    throw new AuthorizationOptionsError(`${what} must have no user and no fragment, got "${text}"`)
  }
  return url
}

/** Checks all that can be checked before the first token comes. Throws an `AuthorizationOptionsError`. */
export function checkOptions(options: ResourceServerOptions): void {
  const resources = resourcesOf(options)
  if (resources.length === 0) throw new AuthorizationOptionsError('resource must name the public URL')
  for (const resource of resources) configuredUrl(resource, 'resource')
  if (options.authorizationServers.length === 0) {
    throw new AuthorizationOptionsError('authorizationServers must name one server at least')
  }
  for (const { issuer, jwksUri, algorithms = [], introspection } of options.authorizationServers) {
    configuredUrl(issuer, 'issuer')
    if (jwksUri !== undefined) configuredUrl(jwksUri, 'jwksUri')
    if (introspection?.endpoint !== undefined) {
      configuredUrl(introspection.endpoint, 'introspection.endpoint')
    }
    const unsupported = algorithms.find((algorithm) => !ASYMMETRIC_ALGORITHMS.includes(algorithm))
    if (unsupported !== undefined) {
      throw new AuthorizationOptionsError(
        `algorithms may name ${ASYMMETRIC_ALGORITHMS.join(', ')}, got "${unsupported}"`,
      )
    }
  }
}

export function resourcesOf({ resource }: ResourceServerOptions): readonly string[] {
  return typeof resource === 'string' ? [resource] : resource
}
