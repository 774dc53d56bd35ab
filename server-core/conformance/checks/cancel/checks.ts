import type { Check } from '../../check.ts'
import { clientLateAnswer, neverInitialize, signals } from './client-cancels.ts'
import { clientNoAnswer, clientUnknownIgnored } from './client-receives.ts'
import { clientTargets, serverTargets } from './frames.ts'
import { httpClose, noAnswer, stopsWork } from './server-effects.ts'
import { lateAnswer, race, unknownIgnored } from './server-invalid.ts'
import { listenTeardown } from './teardown.ts'

/** The checks of the area `cancel`. */
export const CANCEL_CHECKS: readonly Check[] = [
  serverTargets,
  clientTargets,
  neverInitialize,
  stopsWork,
  noAnswer,
  clientNoAnswer,
  unknownIgnored,
  clientUnknownIgnored,
  race,
  clientLateAnswer,
  lateAnswer,
  signals,
  httpClose,
  listenTeardown,
]
