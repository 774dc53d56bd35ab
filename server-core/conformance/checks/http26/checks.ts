import type { Check } from '../../check.ts'
import { inspects400, lostStream, noDowngrade } from './client-eras.ts'
import { headerCase, metadataHeaders, nameEncoding, noResponses } from './client-headers.ts'
import { integers, mirrors, omits, rejects, relists } from './client-parameters.ts'
import { bodySingle, endpoint, getDelete, relatedOnly, sessionIgnored, sseHeaders } from './endpoint.ts'
import {
  badSentinel,
  headerMismatch,
  headerTolerance,
  methodUnknown,
  versionAbsent,
  versionMismatch,
  versionUnsupported,
} from './headers.ts'
import { safeIntegers, serverChecksHeader, serverComparesIntegers, serverPublishes } from './parameters.ts'

/** The checks of the area `http26`. */
export const HTTP26_CHECKS: readonly Check[] = [
  endpoint,
  noResponses,
  metadataHeaders,
  nameEncoding,
  versionMismatch,
  versionUnsupported,
  methodUnknown,
  versionAbsent,
  headerMismatch,
  headerTolerance,
  headerCase,
  badSentinel,
  sseHeaders,
  relatedOnly,
  serverPublishes,
  mirrors,
  omits,
  integers,
  rejects,
  serverChecksHeader,
  serverComparesIntegers,
  relists,
  inspects400,
  noDowngrade,
  getDelete,
  sessionIgnored,
  lostStream,
  bodySingle,
  safeIntegers,
]
