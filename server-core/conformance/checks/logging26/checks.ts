import type { Check } from '../../check.ts'
import { badRequestLevel, logGate, logThreshold } from './request-logs.ts'

/** The checks of the area `logging26`. */
export const LOGGING26_CHECKS: readonly Check[] = [logGate, logThreshold, badRequestLevel]
