import type { AuthorizationServer } from 'oauth4webapi'
import type { GrantContext } from '../grant.ts'
import { readJsonReply } from '../json-reply.ts'
import { OAuthError } from '../oauth-error.ts'
import { serverMetadataUrls } from '../server-metadata.ts'
import type { EnterpriseManagedSettings } from './settings.ts'

/** What is known of the identity provider: what the settings say, else what it says itself (RFC 8414, OpenID). */
export async function identityProvider(
  { issuer, tokenEndpoint }: EnterpriseManagedSettings['identityProvider'],
  context: GrantContext,
): Promise<AuthorizationServer> {
  if (tokenEndpoint !== undefined) return { issuer, token_endpoint: tokenEndpoint }
  for (const url of serverMetadataUrls(issuer).toReversed()) {
    const why = 'A well-known place for the metadata of the identity provider.'
    const found = await context.step<AuthorizationServer | undefined>(
      'server-metadata',
      why,
      async (fetch) => {
        const reply = await readJsonReply(
          await fetch(url, { method: 'GET', headers: { accept: 'application/json' } }),
        )
        if (!reply.ok) return { decision: `Not here (${reply.reason}).`, value: undefined }
        const named = reply.value['issuer']
        if (named !== issuer) {
          throw new OAuthError(
            'issuer-mismatch',
            `The metadata at ${url} is of the issuer ${JSON.stringify(named ?? null)}, expected the identity provider ${issuer} exactly.`,
          )
        }
        return { decision: `This is ${issuer}.`, value: { ...reply.value, issuer } }
      },
    )
    if (found !== undefined) return found
  }
  throw new OAuthError(
    'discovery',
    `The identity provider ${issuer} has no metadata at any well-known place. Enter its token endpoint in the settings.`,
  )
}
