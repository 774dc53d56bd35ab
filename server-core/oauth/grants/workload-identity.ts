import type { ClientAuth } from 'oauth4webapi'
import type { Grant } from '../grant.ts'
import { OAuthError } from '../oauth-error.ts'
import type { GrantSecrets } from './grant-secrets.ts'
import { checkNotOver, claimsOf, isFor, readIssuedToken } from './issued-token.ts'
import type { WorkloadIdentitySettings } from './settings.ts'
import { requestToken } from './token-step.ts'

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** The assertion says who asks: the request names no client. */
const noClient: ClientAuth = () => undefined

/**
 * Tokens for the workload that Patchbay runs as, by the JWT that its platform issued (RFC 7523, 2.1). A JWT for
 * another authorization server is not sent; a refusal is final.
 */
export function workloadIdentityGrant(settings: WorkloadIdentitySettings, secrets: GrantSecrets): Grant {
  return {
    name: 'workload identity',
    clientId: undefined,
    obtain: async (context) => {
      const { server } = context
      const assertion = await context.step(
        'assertion',
        'The platform says who this workload is.',
        async () => {
          const value = await readIssuedToken(settings.source, secrets, 'assertion', 'JWT of the workload')
          const claims = await claimsOf(value)
          if (claims === undefined) {
            throw new OAuthError('client', 'Expected a JWT of the workload, found something else.')
          }
          checkNotOver(claims, 'JWT of the workload')
          if (!isFor(claims, server.issuer, server.token_endpoint ?? server.issuer)) {
            throw new OAuthError(
              'client',
              `The JWT of the workload is for ${JSON.stringify(claims['aud'])}, not for ${server.issuer}. It is not sent: whoever gets it could use it there. Have the platform issue one for ${server.issuer}.`,
            )
          }
          const who = typeof claims['sub'] === 'string' ? claims['sub'] : 'a workload'
          return { decision: `It says that this is ${who}.`, value }
        },
      )
      return requestToken(context, {
        why: 'The JWT of the platform is exchanged for a token; no client takes part.',
        clientId: 'workload',
        authentication: noClient,
        grantType: JWT_BEARER,
        parameters: { assertion },
      })
    },
  }
}
