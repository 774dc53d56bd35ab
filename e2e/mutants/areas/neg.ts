import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `neg`. */
export const NEG_PROOF: AreaProof = { mutants: [] }
