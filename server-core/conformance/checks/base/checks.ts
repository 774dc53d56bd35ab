import type { Check } from '../../check.ts'
import {
  emptyBatch,
  noInitializeInBatch,
  noInitializeInBatchClient,
  receiveBatch,
  receiveBatchClient,
} from './batches.ts'
import { deepNesting, deepNestingClient } from './deep-nesting.ts'
import { chunkSplitClient, chunkSplitServer, utf8 } from './encoding.ts'
import { dataTolerated, noMeaning, privateCodes, reservedCodes, shortMessage } from './errors.ts'
import { echoClient, echoTypes } from './ids.ts'
import { unansweredByClient, unansweredByServer } from './notifications.ts'
import { openAnswers, openRequests, openResults, prototypeKeys, prototypeKeysClient } from './open-objects.ts'
import { uniqueInFlight, uniqueInSession } from './sessions.ts'
import { errorShape, jsonrpcMember, notificationId, requestId, responseXor } from './wire.ts'

/** The checks of the area `base`. */
export const BASE_CHECKS: readonly Check[] = [
  jsonrpcMember,
  requestId,
  uniqueInSession,
  uniqueInFlight,
  responseXor,
  errorShape,
  shortMessage,
  dataTolerated,
  reservedCodes,
  privateCodes,
  noMeaning,
  notificationId,
  unansweredByServer,
  unansweredByClient,
  openResults,
  openRequests,
  openAnswers,
  utf8,
  chunkSplitServer,
  chunkSplitClient,
  receiveBatch,
  receiveBatchClient,
  noInitializeInBatch,
  noInitializeInBatchClient,
  emptyBatch,
  deepNesting,
  deepNestingClient,
  prototypeKeys,
  prototypeKeysClient,
  echoTypes,
  echoClient,
]
