import { guardedFetch } from '../../server-core/network/guarded-fetch.ts'
import { policyForServer } from '../../server-core/network/policy.ts'
import {
  createClientAuthorization,
  type OAuthAuthorization,
} from '../../server-core/oauth/client-authorization.ts'
import type { ClientSettings } from '../../server-core/oauth/flow-parts.ts'
import { DpopPresentation } from '../../server-core/oauth/grants/dpop-presentation.ts'
import type { Grant } from '../../server-core/oauth/grant.ts'
import { grantFrom } from '../../server-core/oauth/grants/grant-from.ts'
import { GrantSecrets } from '../../server-core/oauth/grants/grant-secrets.ts'
import { grantSettingsSchema, type GrantSecret } from '../../server-core/oauth/grants/settings.ts'
import type { JsonObject } from '../../server-core/protocol/json.ts'
import { MemorySecretStore } from '../../server-core/profile/secret-store.ts'

const OWNER = 'conformance'
/** The suite's address of a client id metadata document; no scenario reads it. */
const METADATA_DOCUMENT = 'https://conformance-test.local/client-metadata.json'

/**
 * The authorization of the fixture client: everything as in the product, but for the user, who always agrees and
 * whose browser is a request to the authorization page.
 */
export async function authorizationFor(
  scenario: string,
  url: string,
  context: JsonObject,
): Promise<OAuthAuthorization> {
  const policy = policyForServer(new URL(url))
  const network = guardedFetch(policy)
  const browser = guardedFetch({ ...policy, redirects: 0 })
  const verbose = process.env['MCP_CONFORMANCE_VERBOSE'] !== undefined
  const store = new MemorySecretStore()
  const secrets = new GrantSecrets(store, OWNER)
  const grant = await grantFor(scenario, context, secrets)
  return createClientAuthorization({
    serverUrl: url,
    owner: OWNER,
    store,
    ...(grant === undefined ? {} : { grant }),
    ...(/^auth\/dpop/.test(scenario) ? { presentation: new DpopPresentation({}, secrets) } : {}),
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

/** What a user would set and enter for the scenarios of grants: the members of the context, under other names. */
async function grantFor(
  scenario: string,
  context: JsonObject,
  secrets: GrantSecrets,
): Promise<Grant | undefined> {
  const text = (name: string): string => String(context[name])
  const keep = (name: GrantSecret, member: string): Promise<void> => secrets.set(name, text(member))
  const settings = async (): Promise<unknown> => {
    switch (scenario) {
      case 'auth/client-credentials-basic':
        await keep('client_secret', 'client_secret')
        return {
          kind: 'client-credentials',
          clientId: text('client_id'),
          authentication: { method: 'secret' },
        }
      case 'auth/client-credentials-jwt':
        await keep('private_key', 'private_key_pem')
        return {
          kind: 'client-credentials',
          clientId: text('client_id'),
          authentication: { method: 'private_key_jwt', algorithm: text('signing_algorithm') },
        }
      case 'auth/enterprise-managed-authorization':
        await keep('client_secret', 'client_secret')
        await keep('subject_token', 'idp_id_token')
        return {
          kind: 'enterprise-managed',
          clientId: text('client_id'),
          authentication: { method: 'secret' },
          identityProvider: {
            issuer: text('idp_issuer'),
            clientId: text('idp_client_id'),
            authentication: { method: 'none' },
          },
          subject: { source: { from: 'secret' }, type: 'id_token' },
        }
      case 'auth/wif-jwt-bearer':
        await keep('assertion', 'valid_jwt')
        return { kind: 'workload-identity', source: { from: 'secret' } }
      default:
        return undefined
    }
  }
  const chosen = await settings()
  return chosen === undefined ? undefined : grantFrom(grantSettingsSchema.parse(chosen), secrets)
}
