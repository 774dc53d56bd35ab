import type { Catalogue } from '../../server-core/conformance/catalogue/catalogue.ts'
import type { WireTransport } from '../../server-core/protocol/transport-kind.ts'
import { checkOf, type Mutant } from './mutant.ts'

/** One mutant in so many is run against the peers as well. */
const ONE_IN = 12

/** A mutant of the sample, and the one transport on which it is run. */
type Sampled = { readonly mutant: Mutant; readonly transport: WireTransport }

/** A fixed sample of the mutants that recorded traffic proves, on the transports in turn. */
export function liveSample(mutants: readonly Mutant[], { checks }: Catalogue): readonly Sampled[] {
  return mutants
    .filter((_, at) => at % ONE_IN === 0)
    .flatMap((mutant, at) => {
      const transports = mutant.transports ?? checks.get(checkOf(mutant))?.transports ?? []
      const usual = transports.filter((each) => each !== 'sse')
      const transport = usual[at % usual.length]
      return transport === undefined ? [] : [{ mutant, transport }]
    })
}
