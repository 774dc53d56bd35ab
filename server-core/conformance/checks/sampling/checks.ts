import type { Check } from '../../check.ts'
import {
  samplingAnswer,
  samplingCapability,
  samplingErrors,
  samplingFlood,
  samplingLimits,
  samplingMessages,
  samplingMeta,
} from './client-sampling.ts'
import {
  samplingLoop,
  samplingRequest,
  samplingTolerant,
  samplingTools,
  samplingUndeclared,
} from './server-sampling.ts'

/** The checks of the area `sampling`. */
export const SAMPLING_CHECKS: readonly Check[] = [
  samplingCapability,
  samplingErrors,
  samplingMessages,
  samplingLimits,
  samplingMeta,
  samplingAnswer,
  samplingFlood,
  samplingRequest,
  samplingTools,
  samplingTolerant,
  samplingUndeclared,
  samplingLoop,
]
