import type { Check } from '../../check.ts'
import { clientCompletions, completionErrors, completions, completionUndeclared } from './completions.ts'

/** The checks of the area `completion`. */
export const COMPLETION_CHECKS: readonly Check[] = [
  completions,
  completionErrors,
  completionUndeclared,
  clientCompletions,
]
