import type { Check } from '../../check.ts'
import { pingClient, pingServer } from './pings.ts'

/** The checks of the area `ping`. */
export const PING_CHECKS: readonly Check[] = [pingServer, pingClient]
