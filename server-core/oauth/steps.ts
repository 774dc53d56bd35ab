/** What a step of an authorization does. */
export type OAuthStepKind =
  /** What the server answered, and what follows from it. */
  | 'challenge'
  /** Reads what the server says of itself (RFC 9728). */
  | 'resource-metadata'
  /** Chooses one of the authorization servers. */
  | 'authorization-server'
  /** Reads what the authorization server says of itself (RFC 8414, OpenID Connect Discovery). */
  | 'server-metadata'
  /** Decides as whom this client comes. */
  | 'client'
  /** Registers this client (RFC 7591). */
  | 'registration'
  /** Decides what is asked for. */
  | 'scopes'
  /** Opens the authorization page for the user (OAuth 2.1, 4.1.1). */
  | 'authorization-request'
  /** Receives and checks the answer of the authorization server (4.1.2, RFC 9207). */
  | 'callback'
  /** Exchanges a code, or what a grant has, for a token. */
  | 'token'
  /** Gets a new token for an old one. */
  | 'refresh'
  /** Gets or makes what a grant of an extension presents. */
  | 'assertion'
  /** Keeps or forgets credentials. */
  | 'credentials'
  /** Revokes a token (RFC 7009). */
  | 'revocation'

/** A request of a step. In what is shown, each secret is replaced by its name in brackets: `⟨client_secret⟩`. */
export type StepRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** What came back; the body is masked, and cut after 64 KiB. */
export type StepResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One step of an authorization, as data: what was sent, what came, what was decided and why. No secret is in it. */
export type OAuthStep = {
  /** Stays the same while the step goes on; a step is published again when it changes. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly kind: OAuthStepKind
  /** `waiting`: the gate holds it. */
  readonly state: 'waiting' | 'running' | 'done' | 'failed'
  readonly request?: StepRequest | undefined
  readonly response?: StepResponse | undefined
  /** The result, in one sentence; empty until that is known. */
  readonly decision: string
  /** Why this step is taken, and why in this way. */
  readonly why: string
  /** The request was changed at the gate. */
  readonly edited?: true | undefined
  /** From sending the request to the end of the step. */
  readonly durationMs?: number | undefined
}

/**
 * What a debugger answers for a step that waits: send it, as it is or changed (a placeholder that is left stands for
 * its secret); go back and do an earlier step again; or stop.
 */
export type GateAnswer =
  | { readonly action: 'continue'; readonly request?: StepRequest }
  | { readonly action: 'repeat'; readonly stepId: string }
  | { readonly action: 'stop' }

/** Is asked before each request, and before the authorization page is opened. */
export type Gate = (step: OAuthStep) => Promise<GateAnswer>
