import type { Registry } from '../../server-core/registry/registry.ts'
import type { Mutant } from './mutant.ts'

/** The mutants of one area, and what the reference server offers for its checks. */
export type AreaProof = {
  readonly mutants: readonly Mutant[]
  /** Adds fixture tools, resources and prompts to the reference server. */
  readonly fixtures?: (registry: Registry) => void
}
