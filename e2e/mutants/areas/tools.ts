import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `tools`. */
export const TOOLS_PROOF: AreaProof = { mutants: [] }
