import { guardedFetch } from '../../../server-core/network/guarded-fetch.ts'
import { policyForServer } from '../../../server-core/network/policy.ts'
import {
  createClientAuthorization,
  type OAuthAuthorization,
} from '../../../server-core/oauth/client-authorization.ts'
import { MemorySecretStore } from '../../../server-core/profile/secret-store.ts'

/** The authorization of the reference client: the user always agrees, and the browser is a request to the page. */
export function authorizationFor(url: string): OAuthAuthorization {
  const policy = policyForServer(new URL(url))
  const browser = guardedFetch({ ...policy, redirects: 0 })
  return createClientAuthorization({
    serverUrl: url,
    owner: 'reference',
    store: new MemorySecretStore(),
    network: guardedFetch(policy),
    clientName: 'patchbay-reference-client',
    settings: {},
    mayAskUser: () => true,
    openBrowser: async (page) => (await browser(page)).headers['location'],
  })
}
