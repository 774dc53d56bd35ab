import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `completion`. */
export const COMPLETION_PROOF: AreaProof = { mutants: [] }
