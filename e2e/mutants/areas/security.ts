import type { AreaProof } from '../area-proof.ts'
import type { ChangeHttp } from '../mutant.ts'

/** Session ids of the clock in place of the server's. */
function clockIds(): ChangeHttp {
  const real = new Map<string, string>()
  let last = 0
  return async (request, next) => {
    const named = request.headers['mcp-session-id']
    const known = named === undefined ? undefined : real.get(named)
    const response = await next(
      known === undefined
        ? request
        : { ...request, headers: { ...request.headers, 'mcp-session-id': known } },
    )
    const issued = response.headers['mcp-session-id']
    if (issued === undefined || issued === known) return response
    last = Math.max(last + 1, Date.now())
    real.set(String(last), issued)
    return { ...response, headers: { ...response.headers, 'mcp-session-id': String(last) } }
  }
}

/** The mutants of the area `security`. */
export const SECURITY_PROOF: AreaProof = {
  mutants: [
    { id: 'm.security.server.session-entropy', side: 'server', fault: { http: clockIds() } },
    {
      id: 'm.security.server.local',
      side: 'server',
      fault: {
        http: (request, next) => {
          const { origin: _, ...headers } = request.headers
          return next({ ...request, headers })
        },
      },
    },
  ],
}
