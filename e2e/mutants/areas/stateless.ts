import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `stateless`. */
export const STATELESS_PROOF: AreaProof = { mutants: [] }
