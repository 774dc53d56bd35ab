import type { Check } from '../../check.ts'
import { absentKind, resultKinds, unknownKind } from './results.ts'

/** The checks of the area `resulttype`. */
export const RESULTTYPE_CHECKS: readonly Check[] = [resultKinds, unknownKind, absentKind]
