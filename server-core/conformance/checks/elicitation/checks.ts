import type { Check } from '../../check.ts'
import { foreignCredentials, userBound } from './server-users.ts'
import {
  elicitationCapability,
  formActions,
  formDefaults,
  formValidation,
  modeAbsent,
} from './client-forms.ts'
import { urlCanary, urlCompletion } from './client-urls.ts'
import {
  elicitationDecline,
  elicitationGate,
  elicitationSchema,
  elicitationSecrets,
  elicitationValidates,
} from './server-forms.ts'
import { elicitationComplete, elicitationUrl, elicitationUrlError } from './server-urls.ts'

/** The checks of the area `elicitation`. */
export const ELICITATION_CHECKS: readonly Check[] = [
  elicitationCapability,
  modeAbsent,
  formDefaults,
  formValidation,
  formActions,
  urlCompletion,
  urlCanary,
  elicitationGate,
  elicitationSchema,
  elicitationValidates,
  elicitationDecline,
  elicitationSecrets,
  elicitationUrl,
  elicitationUrlError,
  elicitationComplete,
  userBound,
  foreignCredentials,
]
