import type { Check } from '../../check.ts'
import { eventsHoldMessages, readsEveryForm } from './streams.ts'

/** The checks of the area `sse-format`. */
export const SSE_FORMAT_CHECKS: readonly Check[] = [readsEveryForm, eventsHoldMessages]
