import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `http26`. */
export const HTTP26_PROOF: AreaProof = { mutants: [] }
