import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `sse-format`. */
export const SSE_FORMAT_PROOF: AreaProof = { mutants: [] }
