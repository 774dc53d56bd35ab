import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `http`. */
export const HTTP_PROOF: AreaProof = { mutants: [] }
