import { ClientSecretPost, None, type ClientAuth } from 'oauth4webapi'
import { tokenAuthMethod } from './client-identity.ts'
import type { ClientIdentity, ServerFacts } from './flow-state.ts'
import { OAuthError } from './oauth-error.ts'
import { formEncoded } from './secret-mask.ts'

/** How this client authenticates at the endpoints of an authorization server, as `oauth4webapi` takes it. */
export function clientAuthentication(client: ClientIdentity, server: ServerFacts): ClientAuth {
  const method = tokenAuthMethod(client, server)
  if (method === 'none') return None()
  const { clientSecret } = client
  if (clientSecret === undefined) {
    throw new OAuthError(
      'client',
      `${client.clientId} is registered with ${method}, and there is no client secret. Enter it in the authorization settings of this server.`,
    )
  }
  return method === 'client_secret_post'
    ? ClientSecretPost(clientSecret)
    : basic(client.clientId, clientSecret)
}

/**
 * HTTP Basic with both parts encoded as in forms (RFC 6749, 2.3.1), and no further than forms do: many servers do not
 * decode them, and for most ids and secrets this makes no difference.
 */
function basic(clientId: string, clientSecret: string): ClientAuth {
  return (_server, _client, _body, headers) => {
    const credentials = Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString(
      'base64',
    )
    headers.set('authorization', `Basic ${credentials}`)
  }
}
