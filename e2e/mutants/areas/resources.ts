import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `resources`. */
export const RESOURCES_PROOF: AreaProof = { mutants: [] }
