import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `pagination`. */
export const PAGINATION_PROOF: AreaProof = { mutants: [] }
