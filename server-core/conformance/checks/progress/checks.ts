import type { Check } from '../../check.ts'
import { clientSends, clientTolerant, tokenUnique } from './client-progress.ts'
import { activeOnly, ownStream } from './frames.ts'
import { increasing, noneWithoutToken, token } from './server-progress.ts'
import { rate, serverTolerant } from './server-rate.ts'

/** The checks of the area `progress`. */
export const PROGRESS_CHECKS: readonly Check[] = [
  token,
  increasing,
  noneWithoutToken,
  activeOnly,
  ownStream,
  rate,
  serverTolerant,
  tokenUnique,
  clientTolerant,
  clientSends,
]
