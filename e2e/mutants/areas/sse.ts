import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `sse`. */
export const SSE_PROOF: AreaProof = { mutants: [] }
