import type { Check } from '../../check.ts'
import { discoveryChallenge, pkce } from './client-flow.ts'
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
  ...PLAIN_AUTHORIZATION_CHECKS,
  ...UNREACHABLE_AUTHORIZATION_CHECKS,
]
