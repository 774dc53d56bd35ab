import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  customFetch,
  refreshTokenGrantRequest,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  type TokenEndpointResponse,
} from 'oauth4webapi'
import { CodedError } from '../protocol/coded-error.ts'
import { checkedCallback } from './callback.ts'
import { clientAuthentication } from './client-authentication.ts'
import { endpointOf } from './endpoint.ts'
import type { ClientIdentity, FlowAt, FlowState, ServerFacts, Tokens, WithServer } from './flow-state.ts'
import type { FlowParts } from './flow-parts.ts'
import type { StepFetch } from './grant.ts'
import { OAuthError } from './oauth-error.ts'
import { asAuthorizationServer } from './registration.ts'
import { chooseScopes, scopesOf, scopeText } from './scopes.ts'
import { stringsIn } from './json-reply.ts'
import { presentedFetch } from './presented-fetch.ts'
import { readTokens } from './token-reply.ts'

/** Errors of a server that will be better soon. */
const PASSING: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable'])

/**
 * Checks the answer of the authorization page (state, and the issuer by RFC 9207 in every case), and exchanges its
 * code for tokens, at the token endpoint of the issuer that was asked.
 */
export async function exchangeCode(state: FlowAt<'token'>, parts: FlowParts): Promise<FlowState> {
  const { pending, callback: _callback, ...rest } = state
  const { client, server, resource } = state
  const parameters = checkedCallback(state, parts)
  endpointOf(server.metadata['token_endpoint'], 'the token endpoint')
  const why = 'The code is exchanged once, with the verifier that only this client knows.'
  const exchange = tokenStep('token', why, parts, server, async (fetch) => {
    const response = await authorizationCodeGrantRequest(
      asAuthorizationServer(server),
      { client_id: client.clientId },
      clientAuthentication(client, server),
      parameters,
      pending.redirectUri,
      pending.codeVerifier,
      {
        [customFetch]: fetch,
        [allowInsecureRequests]: true,
        ...(resource.found === 'metadata' ? { additionalParameters: { resource: resource.resource } } : {}),
      },
    )
    return readTokens(response, asAuthorizationServer(server), client.clientId)
  })
  const reply = await exchange.catch(async (error: unknown) => {
    if (refusalIn(error) === 'invalid_client') await forgetRegistration(client, server, parts)
    throw error
  })
  return done(rest, client, reply, pending.scopes, parts)
}

/** Gets a new token with the refresh token; if that is refused, the user is asked. */
export async function refresh(state: FlowAt<'refresh'>, parts: FlowParts): Promise<FlowState> {
  const { client, server, resource } = state
  const { credentials, log } = parts
  const tokens = await credentials.tokens(server.issuer, resource.resource, client.clientId)
  const refreshToken = tokens?.refreshToken
  if (tokens === undefined || refreshToken === undefined) return { ...state, next: 'authorization' }
  log.mask.learn('refresh_token', refreshToken)
  endpointOf(server.metadata['token_endpoint'], 'the token endpoint')
  try {
    const why = 'There is a refresh token, so the user need not be asked.'
    const reply = await tokenStep('refresh', why, parts, server, async (fetch) => {
      const response = await refreshTokenGrantRequest(
        asAuthorizationServer(server),
        { client_id: client.clientId },
        clientAuthentication(client, server),
        refreshToken,
        {
          [customFetch]: fetch,
          [allowInsecureRequests]: true,
          ...(resource.found === 'metadata' ? { additionalParameters: { resource: resource.resource } } : {}),
        },
      )
      return readTokens(response, asAuthorizationServer(server), client.clientId)
    })
    // An authorization server that gives no new refresh token leaves the old one valid.
    return await done(state, client, { refresh_token: refreshToken, ...reply }, tokens.scopes, parts)
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal === undefined) throw error
    if (refusal === 'invalid_client') {
      const { client: _gone, ...rest } = state
      await forgetRegistration(client, server, parts)
      return { ...rest, mayRefresh: false, next: 'client' }
    }
    if (refusal === 'invalid_grant') await credentials.dropRefreshToken(refreshToken)
    return { ...state, mayRefresh: false, next: 'authorization' }
  }
}

/** The OAuth error that a token endpoint refused with; undefined for one that failed, which says nothing of the token. */
function refusalIn(error: unknown): string | undefined {
  const cause = error instanceof OAuthError ? error.cause : undefined
  if (cause instanceof WWWAuthenticateChallengeError) return 'invalid_client'
  if (!(cause instanceof ResponseBodyError)) return undefined
  return PASSING.has(cause.error) ? undefined : cause.error
}

/** An authorization server that does not know this client any more registers it again. */
async function forgetRegistration(
  { kind, clientId }: ClientIdentity,
  { issuer }: ServerFacts,
  { credentials, log }: FlowParts,
): Promise<void> {
  if (kind !== 'dynamic') return
  await credentials.dropClient(issuer)
  log.note(
    'credentials',
    `The registration as ${clientId} is forgotten.`,
    `${issuer} does not know it any more.`,
  )
}

/** Gets a token by the grant that was set, without a user. */
export async function obtainByGrant(state: FlowAt<'grant'>, parts: FlowParts): Promise<FlowState> {
  const { grant, log, signal } = parts
  if (grant === undefined) return { ...state, next: 'client' }
  const { server, resource, challenge, earlierScopes } = state
  const { scopes, why } = chooseScopes({
    configured: parts.settings.scopes,
    challenged: scopesOf(challenge.scope),
    supported: resource.scopes,
    earlier: earlierScopes,
    // Nothing is refreshed here: the grant is asked again.
    serverSupported: stringsIn(server.metadata['scopes_supported'])?.filter(
      (scope) => scope !== 'offline_access',
    ),
  })
  const scope = scopeText(scopes)
  const { clientId } = grant
  log.note(
    'client',
    `A token is asked for by ${grant.name}${clientId === undefined ? '' : ` as ${clientId}`}.`,
    'The settings say so.',
  )
  log.note('scopes', scope === undefined ? 'No scope is named.' : `Asks for ${scope}.`, `${why}.`)
  const client: ClientIdentity = { kind: 'grant', clientId: clientId ?? '' }
  const reply = await grant.obtain({
    server: asAuthorizationServer(server),
    resource: resource.resource,
    scope,
    step: (kind, reason, work) =>
      log.exchange(kind, reason, signal, (fetch) =>
        asOAuthError(() => work(presentedFetch(fetch, server, parts.presentation))),
      ),
    note: (kind, decision, reason) => log.note(kind, decision, reason),
  })
  return done(state, client, reply, scopes, parts)
}

async function tokenStep(
  kind: 'token' | 'refresh',
  why: string,
  parts: FlowParts,
  server: ServerFacts,
  work: (fetch: StepFetch) => Promise<TokenEndpointResponse>,
): Promise<TokenEndpointResponse> {
  return parts.log.exchange(kind, why, parts.signal, async (fetch) => {
    const value = await asOAuthError(() => work(presentedFetch(fetch, server, parts.presentation)))
    const { expires_in: seconds, refresh_token: refreshed } = value
    const end = seconds === undefined ? 'without a named end' : `for ${Math.round(seconds)} s`
    return { decision: `Got a token ${end}${refreshed === undefined ? '' : ', and a refresh token'}.`, value }
  })
}

/** Runs a request of `oauth4webapi` and says in our words what it refuses. */
async function asOAuthError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof CodedError || !(cause instanceof Error) || !('code' in cause)) throw cause
    if (cause instanceof ResponseBodyError) {
      const { error, error_description: description } = cause
      const said = `${error}${description === undefined ? '' : ` (${description})`}`
      throw new OAuthError('token', `The token endpoint refused: ${said}.`, { cause })
    }
    throw new OAuthError('token', `The token endpoint gave no token that can be used: ${cause.message}.`, {
      cause,
    })
  }
}

async function done(
  state: WithServer,
  client: ClientIdentity,
  reply: TokenEndpointResponse,
  asked: readonly string[],
  { credentials, log, presentation }: FlowParts,
): Promise<FlowState> {
  const { access_token, token_type, expires_in, refresh_token, scope } = reply
  if (token_type === 'dpop' && presentation === undefined) {
    throw new OAuthError('token', 'The token is bound to a key (DPoP), and none was presented.')
  }
  const { issuer } = state.server
  const tokens: Tokens = {
    issuer,
    resource: state.resource.resource,
    clientId: client.clientId,
    accessToken: access_token,
    tokenType: token_type,
    scopes: scope === undefined ? asked : scopesOf(scope),
    ...(state.resource.metadataUrl === undefined ? {} : { resourceMetadata: state.resource.metadataUrl }),
    ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
    ...(expires_in === undefined ? {} : { expiresAt: Date.now() + expires_in * 1_000 }),
  }
  log.mask.learn('access_token', access_token)
  await credentials.saveTokens(tokens)
  log.note(
    'credentials',
    `The token is kept for ${tokens.resource}, from ${issuer}.`,
    'It is sent to no other server, and only as long as this one names that issuer.',
  )
  return {
    version: 1,
    next: 'done',
    serverUrl: state.serverUrl,
    challenge: state.challenge,
    earlierScopes: state.earlierScopes,
    mayRefresh: true,
    resource: state.resource,
    server: state.server,
    client,
    tokens,
  }
}
