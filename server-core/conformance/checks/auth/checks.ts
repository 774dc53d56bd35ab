import type { Check } from '../../check.ts'
import { issuerError, issuerVerified, stateVerified } from './client-callbacks.ts'
import {
  authorityForms,
  issuerMismatch,
  oldRoot,
  pkceRefuse,
  resourceMismatch,
  wellKnown,
} from './client-discovery.ts'
import { discoveryChallenge, pkce } from './client-flow.ts'
import {
  clientDocument,
  otherAuthority,
  preregistered,
  registration,
  registrationOrder,
  registrationRefused,
} from './client-registration.ts'
import { loop401, scopeChoice, stepUp } from './client-scopes.ts'
import { refresh, resourceIndicator, tokenOtherHost, unsafeEndpoints } from './client-tokens.ts'
import { authorityDocument, noOfflineAccess, oldMetadata, resourceDocument } from './server-metadata.ts'
import { audience, everyRequest, order, scope } from './server-tokens.ts'
import { PLAIN_AUTHORIZATION_CHECKS } from './stdio.ts'
import { challenge401, clientTokenHeader, invalidToken } from './tokens.ts'
import { UNREACHABLE_AUTHORIZATION_CHECKS } from './unreachable.ts'

/** The checks of the area `auth`. */
export const AUTH_CHECKS: readonly Check[] = [
  challenge401,
  invalidToken,
  clientTokenHeader,
  pkce,
  discoveryChallenge,
  resourceDocument,
  authorityDocument,
  oldMetadata,
  noOfflineAccess,
  audience,
  everyRequest,
  scope,
  order,
  wellKnown,
  authorityForms,
  oldRoot,
  issuerMismatch,
  resourceMismatch,
  pkceRefuse,
  scopeChoice,
  stepUp,
  loop401,
  registrationOrder,
  clientDocument,
  registration,
  registrationRefused,
  otherAuthority,
  preregistered,
  stateVerified,
  issuerVerified,
  issuerError,
  resourceIndicator,
  tokenOtherHost,
  refresh,
  unsafeEndpoints,
  ...PLAIN_AUTHORIZATION_CHECKS,
  ...UNREACHABLE_AUTHORIZATION_CHECKS,
]
