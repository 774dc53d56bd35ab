import { setTimeout as wait } from 'node:timers/promises'
import type { AreaProof } from '../area-proof.ts'
import { HTTP_CLIENT_MUTANTS } from './http-clients.ts'
import { HTTP_SERVER_MUTANTS } from './http-servers.ts'

/** The mutants of the area `http`. */
export const HTTP_PROOF: AreaProof = {
  mutants: [...HTTP_SERVER_MUTANTS, ...HTTP_CLIENT_MUTANTS],
  fixtures: (registry) => {
    let effects = 0
    registry.addTool({
      name: 'test_slow_effect',
      description: 'Counts up after a while, unless it is cancelled; tells the count if it is to look.',
      input: {
        type: 'object',
        properties: { milliseconds: { type: 'integer' }, look: { type: 'boolean' } },
      },
      run: async ({ milliseconds = 600, look = false }, ctx) => {
        if (look !== true) {
          await wait(Number(milliseconds), undefined, { signal: ctx.signal })
          effects += 1
        }
        return String(effects)
      },
    })
  },
}
