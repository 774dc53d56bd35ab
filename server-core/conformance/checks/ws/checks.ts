import type { Check } from '../../check.ts'
import { cancelsByNotification, offersSubprotocol, readsFrames, sessionBeginsAnew } from './clients.ts'
import { batch, big, closes, frames, modern, origin, session, subprotocol } from './servers.ts'

/** The checks of the area `ws`. */
export const WS_CHECKS: readonly Check[] = [
  subprotocol,
  offersSubprotocol,
  frames,
  readsFrames,
  big,
  origin,
  session,
  modern,
  batch,
  cancelsByNotification,
  sessionBeginsAnew,
  closes,
]
