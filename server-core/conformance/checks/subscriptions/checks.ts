import type { Check } from '../../check.ts'
import { clientAck, clientEnd } from './client-listens.ts'
import { listenTags, scopedNotices } from './frames.ts'
import {
  concurrentListens,
  listenAck,
  listenStream,
  onlyRequested,
  reopenListens,
  unsolicited,
} from './server-listens.ts'

/** The checks of the area `subscriptions`. */
export const SUBSCRIPTIONS_CHECKS: readonly Check[] = [
  listenAck,
  onlyRequested,
  listenTags,
  unsolicited,
  concurrentListens,
  scopedNotices,
  reopenListens,
  listenStream,
  clientAck,
  clientEnd,
]
