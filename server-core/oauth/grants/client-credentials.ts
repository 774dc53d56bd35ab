import type { Grant } from '../grant.ts'
import { grantAuthentication } from './grant-authentication.ts'
import type { GrantSecrets } from './grant-secrets.ts'
import { pinIssuer } from './issuer-pin.ts'
import type { ClientCredentialsSettings } from './settings.ts'
import { requestToken } from './token-step.ts'

/** Tokens for this client itself, by its secret or its key (OAuth 2.1, 4.2; extension OAuth Client Credentials). */
export function clientCredentialsGrant(settings: ClientCredentialsSettings, secrets: GrantSecrets): Grant {
  const { clientId, authentication } = settings
  return {
    name: 'client credentials',
    clientId,
    obtain: async (context) => {
      const proof = await grantAuthentication(authentication, clientId, context.server, secrets)
      await pinIssuer(context, secrets)
      return requestToken(context, {
        why: 'The client asks for itself; no user takes part.',
        clientId,
        authentication: proof,
        grantType: 'client_credentials',
      })
    },
  }
}
