import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `mrtr`. */
export const MRTR_PROOF: AreaProof = { mutants: [] }
