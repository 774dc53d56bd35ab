import {
  allowInsecureRequests,
  customFetch,
  dynamicClientRegistrationRequest,
  type AuthorizationServer,
} from 'oauth4webapi'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { userNeeded, withClient } from './client-identity.ts'
import { endpointOf } from './endpoint.ts'
import type { ClientIdentity, FlowAt, FlowState, ServerFacts, TokenAuthMethod } from './flow-state.ts'
import type { FlowParts } from './flow-parts.ts'
import { stringsIn } from './json-reply.ts'
import { OAuthError } from './oauth-error.ts'

const METHODS: readonly TokenAuthMethod[] = ['none', 'client_secret_basic', 'client_secret_post']

/** Registers this client with the authorization server (RFC 7591), for the redirect address that is listened at. */
export async function register(state: FlowAt<'registration'>, parts: FlowParts): Promise<FlowState> {
  if (!parts.mayAskUser) throw userNeeded(state)
  const { server } = state
  const { redirectUri } = await parts.receiver.open(parts.settings.redirectPort)
  endpointOf(server.metadata['registration_endpoint'], 'the registration endpoint')
  const asked = authMethodToAsk(server)
  const why = `This client is not known to ${server.issuer} yet. It is a native application, which the browser is sent back to on this machine.`
  const client = await parts.log.exchange('registration', why, parts.signal, async (fetch) => {
    const response = await dynamicClientRegistrationRequest(
      asAuthorizationServer(server),
      {
        client_name: parts.clientName,
        application_type: 'native',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: asked,
      },
      { [customFetch]: fetch, [allowInsecureRequests]: true },
    )
    const value = registeredClient(
      await readReply(response, server.issuer),
      redirectUri,
      asked,
      response.status,
    )
    return { decision: `Registered as ${value.clientId}.`, value }
  })
  if (client.clientSecret !== undefined) parts.log.mask.learn('client_secret', client.clientSecret)
  await parts.credentials.saveClient(server.issuer, client)
  return withClient(state, client, parts)
}

/** The metadata in the type that `oauth4webapi` takes; it checks each member that it uses. */
export function asAuthorizationServer({ metadata, issuer }: ServerFacts): AuthorizationServer {
  return { ...(metadata as Partial<AuthorizationServer>), issuer }
}

/** No secret is wanted: an application on a user's machine keeps none. Some servers give nothing else. */
function authMethodToAsk({ metadata }: ServerFacts): TokenAuthMethod {
  const taken = stringsIn(metadata['token_endpoint_auth_methods_supported'])
  if (taken === undefined) return 'client_secret_basic'
  return METHODS.find((method) => taken.includes(method)) ?? 'client_secret_basic'
}

async function readReply(response: Response, issuer: string): Promise<JsonObject> {
  let body: unknown
  try {
    body = JSON.parse(await response.text())
  } catch {
    // Said below.
  }
  if ((response.status === 201 || response.status === 200) && isJsonObject(body)) return body
  const said =
    isJsonObject(body) && typeof body['error'] === 'string'
      ? `${body['error']}${typeof body['error_description'] === 'string' ? ` (${body['error_description']})` : ''}`
      : `HTTP ${response.status}`
  throw new OAuthError(
    'client',
    `${issuer} did not register this client: ${said}. Register it there by hand and enter the client id in the authorization settings of this server.`,
  )
}

function registeredClient(
  reply: JsonObject,
  redirectUri: string,
  asked: TokenAuthMethod,
  status: number,
): ClientIdentity {
  const { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method } = reply
  if (typeof client_id !== 'string' || client_id === '') {
    throw new OAuthError('client', `The reply to the registration (HTTP ${status}) holds no client_id.`)
  }
  const secret = typeof client_secret === 'string' && client_secret !== '' ? client_secret : undefined
  const said = METHODS.find((method) => method === token_endpoint_auth_method)
  // A server that repeats nothing has taken what was asked, unless it gave no secret for it.
  const method = said ?? (secret === undefined ? 'none' : asked === 'none' ? undefined : asked)
  const expires = typeof client_secret_expires_at === 'number' ? client_secret_expires_at : 0
  return {
    kind: 'dynamic',
    clientId: client_id,
    redirectUri,
    ...(secret === undefined ? {} : { clientSecret: secret }),
    ...(method === undefined ? {} : { tokenAuthMethod: method }),
    ...(secret === undefined || expires === 0 ? {} : { expiresAt: expires * 1_000 }),
  }
}
