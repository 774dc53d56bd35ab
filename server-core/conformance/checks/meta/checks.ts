import type { Check } from '../../check.ts'
import { clientInfoOptional, requiredClient, requiredServer, serverInfo } from './envelopes.ts'
import { keys, trace } from './keys.ts'
import { clientNeutral, serverNeutral } from './neutral.ts'

/** The checks of the area `meta`. */
export const META_CHECKS: readonly Check[] = [
  requiredClient,
  requiredServer,
  clientInfoOptional,
  serverInfo,
  keys,
  trace,
  serverNeutral,
  clientNeutral,
]
