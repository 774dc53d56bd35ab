import type { Check } from '../../check.ts'
import { clientUses, serverUses, undeclaredMethod, undeclaredNotices } from './capabilities.ts'
import {
  firstMessage,
  initialized,
  preparedClient,
  quietClient,
  versionOffer,
  versionUnsupported,
} from './client-opening.ts'
import {
  beforeInitialize,
  handshake,
  preparedServer,
  quietServer,
  secondInitialize,
  versionCounter,
  versionEcho,
} from './server-opening.ts'
import { clientShutdown, serverCloses, serverEof } from './processes.ts'
import { timeoutClient, timeoutMaximum, timeoutServer, timeoutServerMaximum } from './timeouts.ts'
import { versionKept } from './versions.ts'

/** The checks of the area `lifecycle`. */
export const LIFECYCLE_CHECKS: readonly Check[] = [
  handshake,
  versionEcho,
  versionCounter,
  beforeInitialize,
  secondInitialize,
  quietServer,
  firstMessage,
  initialized,
  quietClient,
  versionOffer,
  versionUnsupported,
  versionKept,
  preparedClient,
  preparedServer,
  serverUses,
  clientUses,
  undeclaredMethod,
  undeclaredNotices,
  timeoutClient,
  timeoutMaximum,
  timeoutServer,
  timeoutServerMaximum,
  clientShutdown,
  serverCloses,
  serverEof,
]
