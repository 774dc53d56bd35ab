import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `lists`. */
export const LISTS_PROOF: AreaProof = { mutants: [] }
