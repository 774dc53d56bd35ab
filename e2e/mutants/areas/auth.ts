import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `auth`. */
export const AUTH_PROOF: AreaProof = {
  mutants: [
    {
      id: 'm.auth.stdio.none',
      side: 'client',
      fault: {
        driver: (client) => {
          const { step } = client
          if (step === undefined) return client
          return {
            basic: () => client.basic(),
            output: () => client.output(),
            close: () => client.close(),
            step: async (each) => {
              const outcome = await step(each)
              // It starts again, to send its request with a token.
              if (outcome.type === 'failed' && /\b401\b/.test(outcome.message))
                await step({ type: 'connect' })
              return outcome
            },
          }
        },
      },
    },
  ],
}
