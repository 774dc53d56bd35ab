import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `ws`. */
export const WS_PROOF: AreaProof = { mutants: [] }
