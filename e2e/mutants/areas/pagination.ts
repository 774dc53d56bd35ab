import type { AreaProof } from '../area-proof.ts'
import { changeResult, changeSent, paramsOf } from './changes-message.ts'

/** The mutants of the area `pagination`. */
export const PAGINATION_PROOF: AreaProof = {
  mutants: [
    {
      id: 'm.pagination.server.walk',
      side: 'server',
      fault: {
        outgoing: changeResult('tools/list', (result, { peer, params }) => {
          const tools: unknown[] = Array.isArray(result['tools']) ? result['tools'] : []
          const { nextCursor } = result
          if (typeof nextCursor === 'string') peer.set(nextCursor, tools.at(-1))
          const last = peer.get(String(params['cursor']))
          return last === undefined ? result : { ...result, tools: [last, ...tools] }
        }),
      },
    },
    {
      id: 'm.pagination.server.bad-cursor',
      side: 'server',
      fault: {
        incoming: (message) => {
          const { cursor, ...rest } = paramsOf(message)
          return cursor === 'zzz' ? { ...message, params: rest } : message
        },
      },
    },
    {
      id: 'm.pagination.client.walk',
      side: 'client',
      fault: {
        incoming: changeResult('tools/list', ({ nextCursor, ...rest }) =>
          Array.isArray(rest['tools']) && rest['tools'].length === 0 ? rest : { ...rest, nextCursor },
        ),
      },
    },
    {
      id: 'm.pagination.client.empty-cursor',
      side: 'client',
      fault: {
        incoming: changeResult('tools/list', ({ nextCursor, ...rest }) =>
          nextCursor === '' ? rest : { ...rest, nextCursor },
        ),
      },
    },
    {
      id: 'm.pagination.client.repeat',
      side: 'client',
      fault: {
        incoming: changeResult('tools/list', (result, { peer }) => {
          if (result['nextCursor'] !== 'again') return result
          const count = Number(peer.get('pages') ?? 0) + 1
          peer.set('pages', count)
          return { ...result, nextCursor: `again ${count}` }
        }),
        outgoing: changeSent('tools/list', (message) => {
          const { cursor } = paramsOf(message)
          return typeof cursor === 'string' && cursor.startsWith('again ')
            ? { ...message, params: { ...paramsOf(message), cursor: 'again' } }
            : message
        }),
      },
    },
    {
      id: 'm.pagination.client.no-persist',
      side: 'client',
      fault: {
        outgoing: changeSent('tools/list', (message, { peer }) => {
          const { cursor } = paramsOf(message)
          if (cursor !== undefined) peer.set('cursor', cursor)
          const kept = peer.get('cursor')
          return kept === undefined || cursor !== undefined
            ? message
            : { ...message, params: { ...paramsOf(message), cursor: kept } }
        }),
      },
    },
  ],
}
