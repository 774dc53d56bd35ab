import { setTimeout as wait } from 'node:timers/promises'
import type { AreaProof } from '../area-proof.ts'
import { HTTP_CLIENT_MUTANTS } from './http-clients.ts'
import { HTTP_SERVER_MUTANTS } from './http-servers.ts'

/** The mutants of the area `http`. */
export const HTTP_PROOF: AreaProof = {
  mutants: [...HTTP_SERVER_MUTANTS, ...HTTP_CLIENT_MUTANTS],
  fixtures: (registry) => {
    const effects = new Map<string, number>()
    registry.addTool({
      name: 'test_slow_effect',
      description: 'Counts up after a while, unless it is cancelled; tells the count if it is to look.',
      input: {
        type: 'object',
        properties: {
          milliseconds: { type: 'integer' },
          look: { type: 'boolean' },
          key: { type: 'string' },
          ignoresCancellation: { type: 'boolean' },
        },
      },
      run: async ({ milliseconds = 600, look = false, key = '', ignoresCancellation = false }, ctx) => {
        if (look !== true) {
          await wait(
            Number(milliseconds),
            undefined,
            ignoresCancellation === true ? {} : { signal: ctx.signal },
          )
          effects.set(String(key), (effects.get(String(key)) ?? 0) + 1)
        }
        return String(effects.get(String(key)) ?? 0)
      },
    })
  },
}
