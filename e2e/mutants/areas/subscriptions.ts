import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `subscriptions`. */
export const SUBSCRIPTIONS_PROOF: AreaProof = { mutants: [] }
