import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `icons`. */
export const ICONS_PROOF: AreaProof = { mutants: [] }
