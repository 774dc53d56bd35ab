import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `cancel`. */
export const CANCEL_PROOF: AreaProof = { mutants: [] }
