import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `prompts`. */
export const PROMPTS_PROOF: AreaProof = { mutants: [] }
