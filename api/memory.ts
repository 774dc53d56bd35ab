/** Entry point `patchbay/memory`: a client and a server connected in memory, for tests. */
export { memoryPair } from '../server-core/transports/memory/memory-link.ts'
export type { MemoryPair, MemoryPairOptions } from '../server-core/transports/memory/memory-link.ts'
