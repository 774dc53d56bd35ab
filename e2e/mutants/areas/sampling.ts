import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `sampling`. */
export const SAMPLING_PROOF: AreaProof = { mutants: [] }
