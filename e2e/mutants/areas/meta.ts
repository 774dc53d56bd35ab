import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `meta`. */
export const META_PROOF: AreaProof = { mutants: [] }
