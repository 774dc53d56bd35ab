import type { Check } from '../../check.ts'
import { rootsCapability, rootsChanged, rootsUsed, rootUris } from './roots.ts'

/** The checks of the area `roots`. */
export const ROOTS_CHECKS: readonly Check[] = [rootsCapability, rootUris, rootsChanged, rootsUsed]
