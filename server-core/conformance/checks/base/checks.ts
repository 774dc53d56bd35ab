import type { Check } from '../../check.ts'
import { echoClient, echoTypes } from './ids.ts'
import { errorShape, jsonrpcMember, notificationId, requestId, responseXor } from './wire.ts'

/** The checks of the area `base`. */
export const BASE_CHECKS: readonly Check[] = [
  jsonrpcMember,
  requestId,
  responseXor,
  errorShape,
  notificationId,
  echoTypes,
  echoClient,
]
