import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `logging`. */
export const LOGGING_PROOF: AreaProof = { mutants: [] }
