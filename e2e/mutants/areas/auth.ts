import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `auth`. */
export const AUTH_PROOF: AreaProof = { mutants: [] }
