import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `security`. */
export const SECURITY_PROOF: AreaProof = { mutants: [] }
