import type { Check } from '../../check.ts'
import { pingClient, pingServer } from './pings.ts'
import { silence, unanswered } from './silent-peers.ts'

/** The checks of the area `ping`. */
export const PING_CHECKS: readonly Check[] = [pingServer, pingClient, silence, unanswered]
