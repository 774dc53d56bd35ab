import type { Check } from '../../check.ts'
import { discoveryChallenge, pkce } from './client-flow.ts'
import { PLAIN_AUTHORIZATION_CHECKS } from './stdio.ts'
import { challenge401, clientTokenHeader, invalidToken } from './tokens.ts'

/** The checks of the area `auth`. */
export const AUTH_CHECKS: readonly Check[] = [
  challenge401,
  invalidToken,
  clientTokenHeader,
  pkce,
  discoveryChallenge,
  ...PLAIN_AUTHORIZATION_CHECKS,
]
