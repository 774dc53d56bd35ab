import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `roots`. */
export const ROOTS_PROOF: AreaProof = { mutants: [] }
