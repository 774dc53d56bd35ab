import type { AreaProof } from '../area-proof.ts'
import { isJsonObject } from '../../../server-core/protocol/json.ts'
import type { ChangeHttp, Fault } from '../mutant.ts'
import { changeResult, paramsOf } from './changes-message.ts'
import { sessionIsToken } from './session-faults.ts'

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

/** Handles that count up. */
function countedHandles(): Fault {
  const real: string[] = []
  return {
    outgoing: changeResult('tools/call', (result) => {
      const { structuredContent: content } = result
      const handle = isJsonObject(content) ? content['handle'] : undefined
      if (typeof handle !== 'string') return result
      if (!real.includes(handle)) real.push(handle)
      const counted = { handle: `handle-${real.indexOf(handle)}` }
      const blocks = [{ type: 'text', text: JSON.stringify(counted) }]
      return { ...result, structuredContent: counted, content: blocks }
    }),
    incoming: (message) => {
      const params = paramsOf(message)
      const { handle } = paramsOf({ params: params['arguments'] })
      const place = typeof handle === 'string' ? /^handle-(\d+)$/.exec(handle)?.[1] : undefined
      if (place === undefined) return message
      return { ...message, params: { ...params, arguments: { handle: real[Number(place)] ?? handle } } }
    },
  }
}

const LEGACY = ['2025-03-26', '2025-06-18', '2025-11-25'] as const

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
    {
      id: 'm.security.server.session-not-auth',
      side: 'server',
      revisions: LEGACY,
      fault: { http: sessionIsToken },
    },
    {
      id: 'm.security.server.foreign-token',
      side: 'server',
      fault: { resource: { audiences: ['https://another.example/mcp'] } },
    },
    { id: 'm.security.server.handles', side: 'server', fault: countedHandles() },
    {
      id: 'm.security.client.ssrf',
      side: 'client',
      fault: {
        http: async (request, next) => {
          const response = await next(request)
          const { location } = response.headers
          if (location?.endsWith('/metadata') === true) await fetch(location).catch(() => undefined)
          return response
        },
      },
    },
  ],
}
