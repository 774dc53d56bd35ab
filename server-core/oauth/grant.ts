import type { AuthorizationServer, TokenEndpointResponse } from 'oauth4webapi'
import type { AccessRefusal, AuthorizedRequest } from '../ports/client-authorization.ts'
import type { OAuthStepKind } from './steps.ts'

/** A `fetch` for `oauth4webapi` (its `customFetch`) and for own requests: guarded, gated and recorded as a step. */
export type StepFetch = (
  url: string,
  init: {
    readonly method: string
    readonly headers: Record<string, string>
    readonly body?: URLSearchParams | string | undefined | null
  },
) => Promise<Response>

/** What a grant gets to work with, once resource and authorization server are found. */
export type GrantContext = {
  /** What the authorization server says of itself; its `issuer` was checked. */
  readonly server: AuthorizationServer
  /** The canonical URI of the MCP server, for `resource` (RFC 8707). */
  readonly resource: string
  /** What to ask for, from the challenge or the resource's metadata; undefined asks for nothing. */
  readonly scope: string | undefined
  /**
   * Runs one step that sends one request: `work` sends it with the `fetch` it gets and returns the decision in one
   * sentence. Its error is reported as the step's failure.
   */
  step<T>(
    kind: OAuthStepKind,
    why: string,
    work: (fetch: StepFetch) => Promise<{ readonly decision: string; readonly value: T }>,
  ): Promise<T>
  /** Records a decision that needs no request. */
  note(kind: OAuthStepKind, decision: string, why: string): void
}

/**
 * A way to a token without a user: client credentials, an identity provider's assertion, a workload's. Asked again
 * whenever there is no valid token; its failure is final, no other way is tried.
 */
export interface Grant {
  /** Names it in records: `client_credentials`, … */
  readonly name: string
  /** The client that the tokens are for; kept with them. Undefined where the request names none. */
  readonly clientId: string | undefined
  /** Gets a token. An `OAuthError` says why there is none. */
  obtain(context: GrantContext): Promise<TokenEndpointResponse>
}

/** How tokens are presented where a bearer token is not enough (DPoP, RFC 9449). One object per set of credentials. */
export interface TokenPresentation {
  /** Headers for a request to the token endpoint. */
  tokenRequestHeaders(request: AuthorizedRequest): Promise<Readonly<Record<string, string>>>
  /** Receives the reply of the token endpoint. True: send the request again, with fresh headers (a nonce). */
  tokenReply(url: string, status: number, headers: Headers, body: string): boolean
  /** The headers of one request to the resource, `authorization` among them. */
  headers(
    request: AuthorizedRequest,
    token: { readonly accessToken: string; readonly tokenType: string },
  ): Promise<Readonly<Record<string, string>>>
  /** Receives the headers of every reply of the resource. */
  responded(headers: Readonly<Record<string, string>>): void
  /** True if the refusal asks for another proof only, and the request is worth sending again with the same token. */
  challenged(refusal: AccessRefusal): boolean
}
