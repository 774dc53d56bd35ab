import type { Check } from '../../check.ts'

/** The checks of the area `jsonrpc`. */
export const JSONRPC_CHECKS: readonly Check[] = []
