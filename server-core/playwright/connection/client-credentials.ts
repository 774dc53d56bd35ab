import { guardedFetch } from '../../network/guarded-fetch.ts'
import { policyForServer } from '../../network/policy.ts'
import { createClientAuthorization } from '../../oauth/client-authorization.ts'
import { clientCredentialsGrant } from '../../oauth/grants/client-credentials.ts'
import { GrantSecrets } from '../../oauth/grants/grant-secrets.ts'
import type { ClientAuthorization } from '../../ports/client-authorization.ts'
import { MemorySecretStore } from '../../profile/secret-store.ts'
import type { AuthorizationOption } from '../options.ts'

const OWNER = 'test'

/** The OAuth client of a test, with tokens that last as long as its connection. No user takes part. */
export async function clientCredentials(
  { clientId, clientSecret, scopes }: Extract<AuthorizationOption, { readonly clientId: string }>,
  url: string,
): Promise<ClientAuthorization> {
  const store = new MemorySecretStore()
  const secrets = new GrantSecrets(store, OWNER)
  await secrets.set('client_secret', clientSecret)
  const settings = { kind: 'client-credentials', clientId, authentication: { method: 'secret' } } as const
  return createClientAuthorization({
    serverUrl: url,
    owner: OWNER,
    store,
    network: guardedFetch(policyForServer(new URL(url))),
    settings: scopes === undefined ? {} : { scopes },
    grant: clientCredentialsGrant(settings, secrets),
    mayAskUser: () => false,
  })
}
