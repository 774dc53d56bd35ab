import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `schema`. */
export const SCHEMA_PROOF: AreaProof = { mutants: [] }
