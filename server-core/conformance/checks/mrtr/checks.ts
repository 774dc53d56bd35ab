import type { Check } from '../../check.ts'
import {
  clientIsolation,
  clientNoState,
  clientRepeat,
  clientRound,
  clientUndeclared,
} from './client-rounds.ts'
import { askingCapabilities, askingMethods, askingShape } from './server-asks.ts'
import { abandonedRounds, answeredRounds, otherProcess } from './server-rounds.ts'
import { replayedState, tamperedState } from './server-state.ts'

/** The checks of the area `mrtr`. */
export const MRTR_CHECKS: readonly Check[] = [
  askingMethods,
  askingShape,
  askingCapabilities,
  answeredRounds,
  abandonedRounds,
  tamperedState,
  replayedState,
  otherProcess,
  clientRound,
  clientNoState,
  clientRepeat,
  clientIsolation,
  clientUndeclared,
]
