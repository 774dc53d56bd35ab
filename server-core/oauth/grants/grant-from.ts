import type { Grant } from '../grant.ts'
import { clientCredentialsGrant } from './client-credentials.ts'
import { enterpriseManagedGrant } from './enterprise-managed.ts'
import type { GrantSecrets } from './grant-secrets.ts'
import type { GrantSettings } from './settings.ts'
import { workloadIdentityGrant } from './workload-identity.ts'

/** The grant that the settings of a server ask for, with the secrets that are kept for it. */
export function grantFrom(settings: GrantSettings, secrets: GrantSecrets): Grant {
  switch (settings.kind) {
    case 'client-credentials':
      return clientCredentialsGrant(settings, secrets)
    case 'enterprise-managed':
      return enterpriseManagedGrant(settings, secrets)
    case 'workload-identity':
      return workloadIdentityGrant(settings, secrets)
  }
}
