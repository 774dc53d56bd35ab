import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `resulttype`. */
export const RESULTTYPE_PROOF: AreaProof = { mutants: [] }
