import type { Check } from '../../check.ts'
import { clientEmptyCursor, clientNoPersist, clientRepeat, clientWalk } from './client-pages.ts'
import { badCursor, pagesWalk } from './server-pages.ts'

/** The checks of the area `pagination`. */
export const PAGINATION_CHECKS: readonly Check[] = [
  pagesWalk,
  badCursor,
  clientWalk,
  clientEmptyCursor,
  clientRepeat,
  clientNoPersist,
]
