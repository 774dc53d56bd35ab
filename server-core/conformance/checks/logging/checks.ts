import type { Check } from '../../check.ts'
import {
  badLevel,
  levelPerSession,
  loggedSecrets,
  loggingCapability,
  logRate,
  setLevel,
} from './server-logs.ts'

/** The checks of the area `logging`. */
export const LOGGING_CHECKS: readonly Check[] = [
  loggingCapability,
  setLevel,
  levelPerSession,
  badLevel,
  loggedSecrets,
  logRate,
]
