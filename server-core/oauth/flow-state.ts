import { NO_CHALLENGE, type Challenge } from './challenge.ts'

/** How this client authenticates at the token endpoint (RFC 7591, `token_endpoint_auth_method`). */
export type TokenAuthMethod = 'client_secret_basic' | 'client_secret_post' | 'none'

/** As whom this client comes to one authorization server. */
export type ClientIdentity = {
  readonly kind: 'pre-registered' | 'metadata-document' | 'dynamic' | 'grant'
  readonly clientId: string
  readonly clientSecret?: string
  /** What the registration said; missing: what the authorization server takes decides. */
  readonly tokenAuthMethod?: TokenAuthMethod
  /** The redirect address of a dynamic registration, which holds for that one alone. */
  readonly redirectUri?: string
  /** Milliseconds since 1970. Missing: the registration has no end. */
  readonly expiresAt?: number
}

/** Tokens for one resource, from one authorization server, for one client. */
export type Tokens = {
  readonly issuer: string
  readonly resource: string
  readonly clientId: string
  readonly accessToken: string
  /** As the authorization server wrote it, in lower case. */
  readonly tokenType: string
  readonly refreshToken?: string
  /** Milliseconds since 1970. */
  readonly expiresAt?: number
  /** Where the metadata of the server was, so that it is found again without a challenge. */
  readonly resourceMetadata?: string
  /** Granted, as far as the authorization server said; otherwise what was asked for. */
  readonly scopes: readonly string[]
}

/** What the server says of itself. */
export type ResourceFacts = {
  /** For `resource` (RFC 8707), exactly as the metadata has it. */
  readonly resource: string
  /**
   * `metadata`: it has a document (RFC 9728). `origin`: it has none, and is or fronts its own authorization server, as
   * in 2025-03-26.
   */
  readonly found: 'metadata' | 'origin'
  /** Where the document is, if there is one. */
  readonly metadataUrl?: string
  readonly authorizationServers: readonly string[]
  readonly scopes?: readonly string[]
}

/** What an authorization server says of itself. */
export type ServerFacts = {
  readonly issuer: string
  /** The whole document. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** False for the default endpoints of 2025-03-26, which are used where there is no document. */
  readonly declared: boolean
}

/** What was sent with the user to the authorization page; the answer is checked against it. */
export type PendingRequest = {
  readonly url: string
  readonly state: string
  readonly codeVerifier: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
}

type Base = {
  readonly version: 1
  readonly serverUrl: string
  readonly challenge: Challenge
  /** Scopes that were granted or asked for before and are to be kept. */
  readonly earlierScopes: readonly string[]
  /** A token that is there may be renewed; false for a step up, which needs the user. */
  readonly mayRefresh: boolean
}
type WithResource = Base & { readonly resource: ResourceFacts; readonly remainingServers: readonly string[] }
/** What is known once the authorization server is found. */
export type WithServer = Base & { readonly resource: ResourceFacts; readonly server: ServerFacts }
type WithClient = WithServer & { readonly client: ClientIdentity }
/** One state for each step of the union. */
type At<Next extends string, Known> = Next extends string ? Known & { readonly next: Next } : never
type WithRequest = WithClient & { readonly pending: PendingRequest }

/**
 * Where an authorization stands, as JSON: what is known, and what is done next. Each step is a function of it, so an
 * authorization can be stored between two steps, taken up by another process, or begun again at an earlier step. It
 * holds secrets (verifier, client secret, code): it is kept where secrets are, and never shown.
 */
export type FlowState =
  | At<'challenge' | 'resource', Base>
  | At<'server', WithResource>
  | At<'grant' | 'client' | 'registration', WithServer>
  | At<'refresh' | 'authorization', WithClient>
  | At<'callback', WithRequest>
  | At<'token', WithRequest & { readonly callback: string }>
  | At<'done', WithClient & { readonly tokens: Tokens }>

/** The state of an authorization that is at one of these steps. */
export type FlowAt<Next extends FlowState['next']> = Extract<FlowState, { readonly next: Next }>

export type FlowStart = {
  readonly serverUrl: string
  /** Missing: nothing was refused yet, so the server is asked first what it wants. */
  readonly challenge?: Challenge
  readonly earlierScopes?: readonly string[]
  readonly mayRefresh?: boolean
}

/** The beginning of an authorization, that a challenge asked for or the user. */
export function startOfFlow(start: FlowStart): FlowState {
  const { serverUrl, challenge, earlierScopes = [], mayRefresh = true } = start
  const next = challenge === undefined ? 'challenge' : 'resource'
  return { version: 1, next, serverUrl, challenge: challenge ?? NO_CHALLENGE, earlierScopes, mayRefresh }
}
