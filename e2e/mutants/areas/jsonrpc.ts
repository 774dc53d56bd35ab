import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `jsonrpc`. */
export const JSONRPC_PROOF: AreaProof = { mutants: [] }
