import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `ext-tasks`. */
export const EXT_TASKS_PROOF: AreaProof = { mutants: [] }
