import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `caching`. */
export const CACHING_PROOF: AreaProof = { mutants: [] }
