import { modifyAssertion, None, PrivateKeyJwt, type AuthorizationServer, type ClientAuth } from 'oauth4webapi'
import { clientAuthentication } from '../client-authentication.ts'
import type { ClientIdentity } from '../flow-state.ts'
import { stringsIn } from '../json-reply.ts'
import type { GrantSecrets } from './grant-secrets.ts'
import type { GrantAuthentication } from './settings.ts'
import { readSigningKey } from './signing-key.ts'

/** Which secret it is, and in what words a user is asked for it. */
export type SecretOfClient = {
  readonly name: 'client_secret' | 'idp_client_secret'
  readonly what: string
}

/**
 * How a client of a grant authenticates at a token endpoint. A client assertion names the issuer as its audience, so
 * that it is of no use anywhere else. Throws an `OAuthError` (`client`) if a secret is missing or unreadable.
 */
export async function grantAuthentication(
  authentication: GrantAuthentication,
  clientId: string,
  server: AuthorizationServer,
  secrets: GrantSecrets,
  secret: SecretOfClient = { name: 'client_secret', what: 'client secret' },
): Promise<ClientAuth> {
  if (authentication.method === 'none') return None()
  if (authentication.method === 'secret') {
    const client: ClientIdentity = {
      kind: 'grant',
      clientId,
      clientSecret: await secrets.need(secret.name, secret.what),
      ...(authentication.as === undefined ? {} : { tokenAuthMethod: authentication.as }),
    }
    return clientAuthentication(client, { issuer: server.issuer, metadata: server, declared: true })
  }
  const supported = stringsIn(server['token_endpoint_auth_signing_alg_values_supported'])
  const text = await secrets.need('private_key', 'private key')
  const { key, algorithm, keyId } = await readSigningKey(text, authentication.algorithm, supported)
  const kid = authentication.keyId ?? keyId
  return PrivateKeyJwt(kid === undefined ? key : { key, kid }, {
    [modifyAssertion]: (header) => {
      // Ed25519 has two names (RFC 9864); servers that know one may not know the other.
      header['alg'] = algorithm
    },
  })
}
