import type { Check } from '../../check.ts'
import { bothForms, eventIdsTolerated, refusedBody, serverMessages } from './client-answers.ts'
import { postShape, repeatsSessionId, repeatsVersion, sessionOptional } from './client-requests.ts'
import {
  deletesSession,
  fallsBack,
  respectsRetry,
  restartsSession,
  toleratesGetAnswers,
} from './client-streams.ts'
import {
  acceptRequired,
  jsonOrSse,
  notificationAccepted,
  notificationRefused,
  oneEndpoint,
} from './endpoint.ts'
import { authFramework, hostChecked, originChecked } from './origins.ts'
import { disconnectSurvives, primes, resumes, resumesForeign, resumesOwn, sendsRetry } from './resuming.ts'
import {
  sessionDead,
  sessionIds,
  sessionMissing,
  versionHeaderAbsent,
  versionHeaderBad,
  versionHeaderDiffers,
} from './sessions.ts'
import { eventIds, getStream, noBroadcast, sseComplete } from './streams.ts'

/** The checks of the area `http`. */
export const HTTP_CHECKS: readonly Check[] = [
  oneEndpoint,
  acceptRequired,
  notificationAccepted,
  notificationRefused,
  jsonOrSse,
  sseComplete,
  disconnectSurvives,
  primes,
  sendsRetry,
  getStream,
  noBroadcast,
  eventIds,
  resumes,
  resumesOwn,
  resumesForeign,
  sessionIds,
  sessionMissing,
  sessionDead,
  versionHeaderBad,
  versionHeaderAbsent,
  versionHeaderDiffers,
  originChecked,
  hostChecked,
  authFramework,
  postShape,
  refusedBody,
  bothForms,
  serverMessages,
  respectsRetry,
  toleratesGetAnswers,
  eventIdsTolerated,
  repeatsSessionId,
  restartsSession,
  deletesSession,
  repeatsVersion,
  fallsBack,
  sessionOptional,
]
