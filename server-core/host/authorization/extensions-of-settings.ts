import { guardedFetch, type GuardedFetch } from '../../network/guarded-fetch.ts'
import { policyForServer } from '../../network/policy.ts'
import type { Grant, TokenPresentation } from '../../oauth/grant.ts'
import type { GrantSecrets } from '../../oauth/grants/grant-secrets.ts'
import { urlsNamed } from '../../oauth/grants/settings.ts'
import type { UsedSettings } from './stored-settings.ts'

/** What the settings need beside the authorization page; loaded only where it is set. */
export async function extensionsOf(
  { grant, dpop }: UsedSettings,
  secrets: GrantSecrets,
): Promise<{ readonly grant: Grant | undefined; readonly presentation: TokenPresentation | undefined }> {
  const grants = grant === undefined ? undefined : await import('../../oauth/grants/grant-from.ts')
  const proofs = dpop === undefined ? undefined : await import('../../oauth/grants/dpop-presentation.ts')
  return {
    grant: grant === undefined ? undefined : grants?.grantFrom(grant, secrets),
    presentation:
      dpop === undefined || proofs === undefined ? undefined : new proofs.DpopPresentation(dpop, secrets),
  }
}

/** The way out for an authorization: to where the server is, and to what the user named in the settings. */
export function networkOf(url: string, { issuer, clientMetadataUrl, grant }: UsedSettings): GuardedFetch {
  const named = [issuer, clientMetadataUrl]
    .map((text) => (text === undefined ? null : URL.parse(text)))
    .filter((each) => each !== null)
  return guardedFetch(
    policyForServer(new URL(url), [...named, ...(grant === undefined ? [] : urlsNamed(grant))]),
  )
}
