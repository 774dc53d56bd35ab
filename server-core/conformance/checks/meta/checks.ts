import type { Check } from '../../check.ts'
import { clientInfoOptional, requiredClient, requiredServer, serverInfo } from './envelopes.ts'

/** The checks of the area `meta`. */
export const META_CHECKS: readonly Check[] = [requiredClient, requiredServer, clientInfoOptional, serverInfo]
