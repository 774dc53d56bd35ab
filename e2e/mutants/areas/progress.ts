import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `progress`. */
export const PROGRESS_PROOF: AreaProof = { mutants: [] }
