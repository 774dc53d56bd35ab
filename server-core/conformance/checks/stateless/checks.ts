import type { Check } from '../../check.ts'
import { anyConnection, handles, interleaved, noContext, oneProcess } from './servers.ts'

/** The checks of the area `stateless`. */
export const STATELESS_CHECKS: readonly Check[] = [noContext, anyConnection, interleaved, handles, oneProcess]
