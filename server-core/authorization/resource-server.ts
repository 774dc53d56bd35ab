import type { Principal } from '../protocol/principal.ts'
import type { Admitted, Authorization, Refused } from '../ports/authorization-port.ts'
import { Admissions } from './admissions.ts'
import { AuthorityError } from './authority-fetch.ts'
import { bearerChallenge } from './challenge.ts'
import { describeResources, documentsByPath, type DescribedResource } from './metadata-document.ts'
import { digestOf } from './digest.ts'
import { checkOptions, type ResourceServerOptions } from './options.ts'
import { Scopes } from './scopes.ts'
import { TokenCheckers } from './token-checkers.ts'

/** Reports to the operator why tokens could not be checked; callers receive no more than that. */
export type ReportAuthorityError = (error: AuthorityError) => void

/** A token's scheme and text (RFC 6750, 2.1). */
const BEARER = /^bearer +([\w.~+/-]+=*) *$/i
/** Seconds after which a client may try again when tokens cannot be checked. */
const RETRY_AFTER_S = 5

/** What is kept of a token: who comes with it, or what is wrong with it. */
type Decision = Admitted | { readonly problem: string }

/**
 * The resource-server side of MCP authorization (specification: Authorization; OAuth 2.1, RFC 9728). Takes tokens of
 * the configured authorization servers that were issued for this server, and says to others what they need.
 *
 * `report` gets what kept tokens from being checked: requests are then refused with 503, never let in.
 * Throws an `AuthorizationOptionsError` if the options cannot work.
 *
 * @example
 * ```ts
 * import { createResourceServer, createServer, Registry, startHttpListener } from 'patchbay/server'
 *
 * const authorization = createResourceServer({
 *   resource: 'https://mcp.example.com/mcp',
 *   authorizationServers: [{ issuer: 'https://login.example.com' }],
 * })
 * const server = createServer({ registry: new Registry(), info: { name: 'mine', version: '1.0.0' } })
 * const listener = await startHttpListener({ server, port: 0, authorization })
 * await listener.close()
 * await server.close()
 * ```
 */
export function createResourceServer(
  options: ResourceServerOptions,
  report: ReportAuthorityError = () => undefined,
): Authorization {
  checkOptions(options)
  return new ResourceServer(options, report)
}

class ResourceServer implements Authorization {
  readonly publicNames: { readonly hosts: readonly string[]; readonly origins: readonly string[] }
  readonly #report: ReportAuthorityError
  readonly #scopes: Scopes
  readonly #checkers: TokenCheckers
  readonly #resources: readonly DescribedResource[]
  readonly #documents: ReadonlyMap<string, string>
  readonly #admissions = new Admissions<Decision>()

  constructor(options: ResourceServerOptions, report: ReportAuthorityError) {
    this.#report = report
    this.#scopes = new Scopes(options.requiredScopes, options.impliedScopes)
    this.#checkers = new TokenCheckers(options)
    this.#resources = describeResources(options, this.#scopes.all)
    this.#documents = documentsByPath(this.#resources)
    const urls = this.#resources.map(({ metadataUrl }) => new URL(metadataUrl))
    this.publicNames = {
      hosts: urls.map(({ hostname }) => hostname),
      origins: urls.map(({ origin }) => origin),
    }
  }

  admit(authorization: string | undefined, path: string): Admitted | Refused | Promise<Admitted | Refused> {
    // Another scheme is not a token either (RFC 6750, 3.1).
    if (authorization === undefined || !/^bearer\b/i.test(authorization)) {
      return this.#unauthorized(path, undefined)
    }
    const token = BEARER.exec(authorization)?.[1]
    if (token === undefined) return this.#unauthorized(path, 'The token is malformed')
    const decision = this.#admissions.get(token, () => this.#decide(token))
    if (!(decision instanceof Promise)) return this.#answer(decision, path)
    return decision.then(
      (decided) => this.#answer(decided, path),
      (error: unknown) => this.#unable(error),
    )
  }

  /** Tokens are checked at each request, and what is open ends when they expire. */
  stillAdmits(): boolean {
    return true
  }

  refuseMessage({ principal }: Admitted, message: unknown, path: string): Refused | undefined {
    const needed = this.#scopes.neededBy(message)
    if (needed.length === 0) return undefined
    const granted = principal?.scopes ?? []
    return this.#scopes.areGranted(needed, granted) ? undefined : this.#insufficient(needed, path)
  }

  document(path: string): string | undefined {
    return this.#documents.get(path)
  }

  async #decide(token: string): Promise<{ readonly value: Decision; readonly until: number }> {
    const verdict = await this.#checkers.check(token)
    if (!verdict.valid) return { value: { problem: verdict.problem }, until: 0 }
    const { principal, expiresAt, keepMs } = verdict
    const caller = callerOf(principal, token)
    return {
      value: { caller, principal, ...(expiresAt === undefined ? {} : { expiresAt }) },
      until: Math.min(expiresAt ?? Infinity, Date.now() + keepMs),
    }
  }

  #answer(decision: Decision, path: string): Admitted | Refused {
    if ('problem' in decision) return this.#unauthorized(path, decision.problem)
    const { server } = this.#scopes
    const granted = decision.principal?.scopes ?? []
    return this.#scopes.areGranted(server, granted) ? decision : this.#insufficient([], path)
  }

  /** Without a token nothing is wrong with it, so no error is named (RFC 6750, 3.1). */
  #unauthorized(path: string, problem: string | undefined): Refused {
    const { server } = this.#scopes
    const challenge = bearerChallenge({
      ...(problem === undefined ? {} : { error: 'invalid_token', error_description: problem }),
      ...(server.length === 0 ? {} : { scope: server.join(' ') }),
      resource_metadata: this.#metadataUrl(path),
    })
    return {
      status: 401,
      reason: `Unauthorized: ${problem ?? 'an access token is required'}`,
      headers: { 'www-authenticate': challenge },
    }
  }

  /** All scopes are named at once, those of the server too, so that one step up is enough. */
  #insufficient(needed: readonly string[], path: string): Refused {
    const scope = [...new Set([...this.#scopes.server, ...needed])].join(' ')
    const reason = `This needs the scopes ${scope}`
    const challenge = bearerChallenge({
      error: 'insufficient_scope',
      error_description: reason,
      scope,
      resource_metadata: this.#metadataUrl(path),
    })
    return { status: 403, reason: `Forbidden: ${reason}`, headers: { 'www-authenticate': challenge } }
  }

  /** The fault is not the caller's, so it is not told that its token is bad: it would throw it away. */
  #unable(cause: unknown): Refused {
    const error =
      cause instanceof AuthorityError
        ? cause
        : new AuthorityError('content', `a token could not be checked: ${String(cause)}`, { cause })
    this.#report(error)
    return {
      status: 503,
      reason: 'The token cannot be checked now: the authorization server gives no answer; try again later',
      headers: { 'retry-after': String(RETRY_AFTER_S) },
    }
  }

  /** Behind a proxy that adds a prefix the public path is longer than ours. */
  #metadataUrl(path: string): string {
    const resource = this.#resources.find((each) => each.path.endsWith(path)) ?? this.#resources[0]
    return resource?.metadataUrl ?? ''
  }
}

/** A token that names nobody is a caller of its own. */
function callerOf({ issuer, subject, clientId }: Principal, token: string): string {
  const who =
    subject === undefined && clientId === undefined ? [issuer, digestOf(token)] : [issuer, subject, clientId]
  return `oauth ${JSON.stringify(who)}`
}
