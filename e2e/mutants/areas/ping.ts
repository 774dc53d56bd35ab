import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `ping`. */
export const PING_PROOF: AreaProof = { mutants: [] }
