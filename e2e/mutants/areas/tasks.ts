import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `tasks`. */
export const TASKS_PROOF: AreaProof = { mutants: [] }
