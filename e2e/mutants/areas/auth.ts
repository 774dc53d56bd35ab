import type { AreaProof } from '../area-proof.ts'
import { AUTH_CLIENT_MUTANTS } from './auth-clients.ts'
import { AUTH_SERVER_MUTANTS } from './auth-servers.ts'
import { replaceSteps } from '../replace-steps.ts'

/** The mutants of the area `auth`. */
export const AUTH_PROOF: AreaProof = {
  mutants: [
    {
      id: 'm.auth.stdio.none',
      side: 'client',
      fault: {
        driver: (client) => {
          return replaceSteps(client, async (each, step) => {
            const outcome = await step(each)
            // It starts again, to send its request with a token.
            if (outcome.type === 'failed' && /\b401\b/.test(outcome.message)) await step({ type: 'connect' })
            return outcome
          })
        },
      },
    },
    {
      id: 'm.auth.server.401',
      side: 'server',
      fault: {
        http: async (request, next) => {
          const response = await next(request)
          const { 'www-authenticate': _, ...headers } = response.headers
          return response.status === 401 ? { ...response, headers } : response
        },
      },
    },
    {
      id: 'm.auth.server.invalid-token',
      side: 'server',
      fault: {
        listener: ({ authorization: _, ...options }) => options,
      },
      alsoBreaks: { 'auth.server.401': 'no token is asked for' },
    },
    {
      id: 'm.auth.client.token-header',
      side: 'client',
      fault: {
        http: (request, next) => {
          const { authorization: _, ...headers } = request.headers
          return next(request.method === 'DELETE' ? { ...request, headers } : request)
        },
      },
      revisions: ['2025-03-26', '2025-06-18', '2025-11-25'],
    },
    {
      id: 'm.auth.client.pkce',
      side: 'client',
      fault: {
        http: (request, next) =>
          next(
            request.path.includes('/authorize')
              ? {
                  ...request,
                  path: request.path.replace('code_challenge_method=S256', 'code_challenge_method=plain'),
                }
              : request,
          ),
      },
      revisions: ['2025-11-25', '2026-07-28'],
    },
    {
      id: 'm.auth.client.discovery-challenge',
      side: 'client',
      fault: {
        http: async (request, next) => {
          const response = await next(request)
          const { 'www-authenticate': challenge, ...headers } = response.headers
          return challenge?.startsWith('Basic') === true ? { ...response, headers } : response
        },
      },
    },
    ...AUTH_SERVER_MUTANTS,
    ...AUTH_CLIENT_MUTANTS,
  ],
}
