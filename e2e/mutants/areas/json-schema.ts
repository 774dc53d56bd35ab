import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `json-schema`. */
export const JSON_SCHEMA_PROOF: AreaProof = { mutants: [] }
