import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `versioning`. */
export const VERSIONING_PROOF: AreaProof = { mutants: [] }
