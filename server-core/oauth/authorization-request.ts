import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from 'oauth4webapi'
import { mayOpen } from '../network/guarded-opener.ts'
import { portOf, userNeeded } from './client-identity.ts'
import { endpointOf } from './endpoint.ts'
import type { FlowAt, FlowState, PendingRequest } from './flow-state.ts'
import type { FlowParts } from './flow-parts.ts'
import { stringsIn } from './json-reply.ts'
import { OAuthError } from './oauth-error.ts'
import { chooseScopes, scopesOf, scopeText } from './scopes.ts'

/**
 * Leads the user to the authorization page (OAuth 2.1, 4.1.1), with PKCE, a state, and the resource that the token is
 * for. What the answer will be checked against is part of the state from here on.
 */
export async function askUser(state: FlowAt<'authorization'>, parts: FlowParts): Promise<FlowState> {
  if (!parts.mayAskUser) throw userNeeded(state)
  const { client, server, resource, challenge } = state
  const { log, receiver, settings } = parts
  const endpoint = endpointOf(server.metadata['authorization_endpoint'], 'the authorization page')
  const port = client.redirectUri === undefined ? settings.redirectPort : portOf(client.redirectUri)
  const { redirectUri } = await receiver.open(port)
  const { scopes, why } = chooseScopes({
    configured: settings.scopes,
    challenged: scopesOf(challenge.scope),
    supported: resource.scopes,
    earlier: state.earlierScopes,
    serverSupported: stringsIn(server.metadata['scopes_supported']),
  })
  const scope = scopeText(scopes)
  log.note('scopes', scope === undefined ? 'No scope is named.' : `Asks for ${scope}.`, `${capital(why)}.`)
  const codeVerifier = generateRandomCodeVerifier()
  const requestState = generateRandomState()
  log.mask.learn('code_verifier', codeVerifier)
  const parameters: Readonly<Record<string, string | undefined>> = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    state: requestState,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    scope,
    resource: resource.found === 'metadata' ? resource.resource : undefined,
    // Without it, OpenID Connect lets a server leave the refresh token out (OIDC Core, 11).
    prompt: scopes.includes('offline_access') ? 'consent' : undefined,
  }
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) endpoint.searchParams.set(name, value)
  }
  const pending: PendingRequest = {
    url: endpoint.href,
    state: requestState,
    codeVerifier,
    redirectUri,
    scopes,
  }
  return { ...state, pending, next: 'callback' }
}

/** Opens the page and waits for the browser to come back, or for the address it was sent to. */
export async function takeCallback(state: FlowAt<'callback'>, parts: FlowParts): Promise<FlowState> {
  const { pending, server } = state
  const { log, receiver } = parts
  await receiver.open(portOf(pending.redirectUri))
  const answer = receiver.expect({ state: pending.state, redirectUri: pending.redirectUri })
  const why = `Only the user can agree that this client acts for them at ${server.issuer}.`
  const back = await log.lead('authorization-request', why, pending.url, async (url) => {
    const opening = mayOpen(url)
    if (!opening.ok) throw new OAuthError('network', `The authorization page is not opened: ${opening.why}`)
    const value = await parts.openBrowser(opening.href)
    return { decision: 'The page was opened in the browser.', value }
  })
  const waits = `The browser is sent to ${pending.redirectUri}; its state says that it answers this request.`
  const callback = await log.receive('callback', waits, async (arrived) => {
    if (back !== undefined) receiver.paste(back)
    const value = await answer.within(parts.userMs, parts.signal)
    arrived(`${pending.redirectUri}?${value}`)
    return { decision: 'The browser came back with an answer to this request.', value }
  })
  return { ...state, callback, next: 'token' }
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
