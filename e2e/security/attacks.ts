import { sameConnections } from '../fast-path/same-connections.ts'
import { sameHeads } from '../fast-path/same-heads.ts'
import type { Attack } from './attack.ts'
import { downloadedFolders } from './downloaded-folders.ts'
import { hostileRecordings } from './hostile-recordings.ts'
import { randomKills } from './random-kills.ts'
import { requestState } from './request-state.ts'
import { scriptMessages } from './script-messages.ts'
import { tokenTiming } from './token-timing.ts'
import { twoPrincipals } from './two-principals.ts'
import { evilPatterns } from './evil-patterns.ts'

/** All attacks, in the order in which they run. */
export const ATTACKS: readonly Attack[] = [
  downloadedFolders,
  hostileRecordings,
  requestState,
  twoPrincipals,
  scriptMessages,
  randomKills,
  evilPatterns,
  tokenTiming,
  sameHeads,
  sameConnections,
]
