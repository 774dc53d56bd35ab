import type { Check } from '../../check.ts'
import { postsThere, refusesForeignEndpoint, waitsForEndpoint } from './clients.ts'
import { closedStream, endpointEvent, messageEvents, sessionIsolation } from './servers.ts'

/** The checks of the area `sse`. */
export const SSE_CHECKS: readonly Check[] = [
  endpointEvent,
  messageEvents,
  sessionIsolation,
  closedStream,
  postsThere,
  refusesForeignEndpoint,
  waitsForEndpoint,
]
