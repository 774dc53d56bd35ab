import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `stdio`. */
export const STDIO_PROOF: AreaProof = { mutants: [] }
