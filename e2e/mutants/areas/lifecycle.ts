import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `lifecycle`. */
export const LIFECYCLE_PROOF: AreaProof = { mutants: [] }
