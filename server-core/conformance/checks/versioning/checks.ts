import type { Check } from '../../check.ts'
import { eraRemembered, extensionFallbackClient, retriesVersion } from './clients.ts'
import {
  capabilitiesTruthful,
  discover,
  discoverOptional,
  dual,
  extensionFallbackServer,
  namesVersions,
  unsupported,
} from './servers.ts'

/** The checks of the area `versioning`. */
export const VERSIONING_CHECKS: readonly Check[] = [
  discover,
  discoverOptional,
  unsupported,
  capabilitiesTruthful,
  namesVersions,
  dual,
  retriesVersion,
  eraRemembered,
  extensionFallbackServer,
  extensionFallbackClient,
]
