import type { Check } from '../../check.ts'
import { increasing, noneWithoutToken, token } from './server-progress.ts'

/** The checks of the area `progress`. */
export const PROGRESS_CHECKS: readonly Check[] = [token, increasing, noneWithoutToken]
