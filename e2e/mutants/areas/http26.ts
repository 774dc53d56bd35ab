import type { AreaProof } from '../area-proof.ts'
import { HTTP26_CLIENT_MUTANTS } from './http26-clients.ts'
import { HTTP26_SERVER_MUTANTS } from './http26-servers.ts'

/** The mutants of the area `http26`. */
export const HTTP26_PROOF: AreaProof = {
  mutants: [...HTTP26_SERVER_MUTANTS, ...HTTP26_CLIENT_MUTANTS],
  fixtures: (registry) => {
    registry.addTool({
      name: 'test_header_integer',
      description: 'Has a number that clients repeat as a header.',
      annotations: { readOnlyHint: true },
      input: {
        type: 'object',
        properties: { count: { type: 'integer', 'x-mcp-header': 'Count' } },
      },
      run: ({ count }) => `count: ${String(count)}`,
    })
  },
}
