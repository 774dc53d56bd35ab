import type { Check } from '../../check.ts'
import { byAuthorization } from '../tools/access.ts'
import { listsChanged } from './list-changes.ts'
import { connectionIndependent, listOrder, listsAnswered } from './server-lists.ts'

/** The checks of the area `lists`. */
export const LISTS_CHECKS: readonly Check[] = [
  listsAnswered,
  connectionIndependent,
  listOrder,
  listsChanged,
  byAuthorization,
]
