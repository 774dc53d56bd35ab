import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `logging26`. */
export const LOGGING26_PROOF: AreaProof = { mutants: [] }
