import { guardedFetch } from '../../server-core/network/guarded-fetch.ts'
import { policyForServer } from '../../server-core/network/policy.ts'
import {
  createClientAuthorization,
  type OAuthAuthorization,
} from '../../server-core/oauth/client-authorization.ts'
import type { ClientSettings } from '../../server-core/oauth/flow-parts.ts'
import type { JsonObject } from '../../server-core/protocol/json.ts'
import { MemorySecretStore } from '../../server-core/workspace/secret-store.ts'

/** The suite's address of a client id metadata document; no scenario reads it. */
const METADATA_DOCUMENT = 'https://conformance-test.local/client-metadata.json'

/**
 * The authorization of the fixture client: everything as in the product, but for the user, who always agrees and
 * whose browser is a request to the authorization page.
 */
export function authorizationFor(scenario: string, url: string, context: JsonObject): OAuthAuthorization {
  const policy = policyForServer(new URL(url))
  const network = guardedFetch(policy)
  const browser = guardedFetch({ ...policy, redirects: 0 })
  const verbose = process.env['MCP_CONFORMANCE_VERBOSE'] !== undefined
  return createClientAuthorization({
    serverUrl: url,
    owner: 'conformance',
    store: new MemorySecretStore(),
    network,
    clientName: 'patchbay-conformance',
    settings: settingsFor(scenario, context),
    mayAskUser: () => true,
    openBrowser: async (page) => (await browser(page)).headers['location'],
    onStep: ({ state, kind, decision, request }) => {
      if (verbose && (state === 'done' || state === 'failed'))
        process.stderr.write(`${kind} ${request?.url ?? ''}: ${decision}\n`)
    },
  })
}

function settingsFor(scenario: string, context: JsonObject): ClientSettings {
  const { client_id: clientId, client_secret: clientSecret, issuer } = context
  if (scenario !== 'auth/pre-registration') return { clientMetadataUrl: METADATA_DOCUMENT }
  return {
    ...(typeof clientId === 'string' && { clientId }),
    ...(typeof clientSecret === 'string' && { clientSecret }),
    ...(typeof issuer === 'string' && { issuer }),
  }
}
