import type { Check } from '../../check.ts'
import {
  batchRefused,
  batchRefusedClient,
  invalidParams,
  unknownMethodClient,
  unknownMethodServer,
} from './requests.ts'
import { strayResponseClient, strayResponseServer } from './responses.ts'
import { invalidRequest, parseError, parseErrorClient } from './unreadable.ts'

/** The checks of the area `jsonrpc`. */
export const JSONRPC_CHECKS: readonly Check[] = [
  parseError,
  parseErrorClient,
  invalidRequest,
  unknownMethodServer,
  unknownMethodClient,
  invalidParams,
  batchRefused,
  batchRefusedClient,
  strayResponseServer,
  strayResponseClient,
]
