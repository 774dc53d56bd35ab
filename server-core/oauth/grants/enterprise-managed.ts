import {
  allowInsecureRequests,
  customFetch,
  genericTokenEndpointRequest,
  type AuthorizationServer,
} from 'oauth4webapi'
import { endpointOf } from '../endpoint.ts'
import type { Grant, GrantContext } from '../grant.ts'
import { stringsIn } from '../json-reply.ts'
import { OAuthError } from '../oauth-error.ts'
import { readTokens } from '../token-reply.ts'
import { grantAuthentication } from './grant-authentication.ts'
import type { GrantSecrets } from './grant-secrets.ts'
import { identityProvider } from './identity-provider.ts'
import { checkNotOver, claimsOf, isFor, readIssuedToken } from './issued-token.ts'
import { pinIssuer } from './issuer-pin.ts'
import type { EnterpriseManagedSettings } from './settings.ts'
import { requestToken } from './token-step.ts'
import { JWT_BEARER } from './workload-identity.ts'

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag'
const PROFILE = 'urn:ietf:params:oauth:grant-profile:id-jag'
const TYPES = {
  id_token: { urn: 'urn:ietf:params:oauth:token-type:id_token', what: 'ID token' },
  saml2: { urn: 'urn:ietf:params:oauth:token-type:saml2', what: 'SAML assertion' },
  refresh_token: { urn: 'urn:ietf:params:oauth:token-type:refresh_token', what: 'refresh token' },
} as const

/**
 * Tokens for the user by the word of the organisation's identity provider: what it gave at the sign-in is exchanged
 * there for an assertion for this one authorization server (ID-JAG, RFC 8693), and that for a token (RFC 7523), with
 * no page to agree on (extension Enterprise-Managed Authorization).
 */
export function enterpriseManagedGrant(settings: EnterpriseManagedSettings, secrets: GrantSecrets): Grant {
  const { clientId, authentication } = settings
  return {
    name: 'enterprise-managed authorization',
    clientId,
    obtain: async (context) => {
      const { server } = context
      const profiles = stringsIn(server['authorization_grant_profiles_supported'])
      if (profiles?.includes(PROFILE) !== true) {
        context.note(
          'assertion',
          `${server.issuer} does not say that it takes assertions of identity providers.`,
          `It would by ${PROFILE} in authorization_grant_profiles_supported. It is asked even so.`,
        )
      }
      const proof = await grantAuthentication(authentication, clientId, server, secrets)
      await pinIssuer(context, secrets)
      const assertion = await exchangeAtProvider(settings, secrets, context)
      return requestToken(context, {
        why: 'The assertion of the identity provider is exchanged for a token; the organisation agreed for the user.',
        clientId,
        authentication: proof,
        grantType: JWT_BEARER,
        parameters: { assertion },
      })
    },
  }
}

/** Gets the ID-JAG for the authorization server of the context. */
async function exchangeAtProvider(
  { identityProvider: configured, subject, clientId }: EnterpriseManagedSettings,
  secrets: GrantSecrets,
  context: GrantContext,
): Promise<string> {
  const { server, resource, scope } = context
  const { urn, what } = TYPES[subject.type]
  const subjectToken = await readIssuedToken(subject.source, secrets, 'subject_token', what)
  if (subject.type === 'id_token') checkNotOver(await claimsOf(subjectToken), what)
  const provider = await identityProvider(configured, context)
  endpointOf(provider.token_endpoint, 'the token endpoint of the identity provider')
  const proof = await grantAuthentication(configured.authentication, configured.clientId, provider, secrets, {
    name: 'idp_client_secret',
    what: 'client secret for the identity provider',
  })
  const why = `${provider.issuer} says whether this user may use the server, by an assertion for ${server.issuer} alone.`
  return context.step('assertion', why, async (fetch) => {
    const response = await genericTokenEndpointRequest(
      provider,
      { client_id: configured.clientId },
      proof,
      TOKEN_EXCHANGE,
      {
        requested_token_type: ID_JAG,
        audience: server.issuer,
        resource,
        ...(scope === undefined ? {} : { scope }),
        subject_token: subjectToken,
        subject_token_type: urn,
      },
      { [customFetch]: fetch, [allowInsecureRequests]: true },
    )
    const reply = await readTokens(response, provider, configured.clientId, ['n_a', 'bearer'])
    if (reply['issued_token_type'] !== ID_JAG) {
      throw new OAuthError(
        'token',
        `Expected an ID-JAG (${ID_JAG}), got ${JSON.stringify(reply['issued_token_type'] ?? null)} from ${provider.issuer}.`,
      )
    }
    return { decision: await judged(reply.access_token, server, clientId), value: reply.access_token }
  })
}

/** An assertion for somebody else is not sent on: whoever gets it could use it there. */
async function judged(assertion: string, { issuer }: AuthorizationServer, clientId: string): Promise<string> {
  const claims = await claimsOf(assertion)
  if (claims === undefined) return 'Got an assertion.'
  checkNotOver(claims, 'assertion of the identity provider')
  if (!isFor(claims, issuer)) {
    throw new OAuthError(
      'token',
      `The assertion of the identity provider is for ${JSON.stringify(claims['aud'])}, expected ${issuer}. It is not sent there.`,
    )
  }
  const { client_id: named } = claims
  const isOther = named !== undefined && named !== clientId
  return isOther
    ? `Got an assertion for the client ${JSON.stringify(named)}, while this client is ${clientId}; it will hardly be taken.`
    : `Got an assertion for ${issuer}.`
}
