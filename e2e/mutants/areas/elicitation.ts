import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `elicitation`. */
export const ELICITATION_PROOF: AreaProof = { mutants: [] }
