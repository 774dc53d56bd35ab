import { isJsonObject } from '../../../server-core/protocol/json.ts'
import type { AreaProof } from '../area-proof.ts'
import { subjectOf } from './session-faults.ts'
import type { ChangeMessage } from '../mutant.ts'
import { changeResult, changeSent, errorFor, paramsOf } from './changes-message.ts'
import { replaceSteps } from '../replace-steps.ts'

/** Answers a read from what was kept, if that is taken for it. */
const readFromKept = (fits: (kept: string, uri: unknown) => boolean): ChangeMessage =>
  changeSent('resources/read', (message, { connection, reply }) => {
    const { uri, inputResponses } = paramsOf(message)
    const kept = connection.get('kept')
    if (!isJsonObject(kept) || inputResponses !== undefined || !fits(String(kept['uri']), uri)) return message
    reply({ jsonrpc: '2.0', id: message['id'], result: kept['result'] })
    return undefined
  })

/** The mutants of the area `caching`. */
export const CACHING_PROOF: AreaProof = {
  mutants: [
    {
      id: 'm.caching.server.hints',
      side: 'server',
      fault: {
        outgoing: changeResult('resources/templates/list', ({ ttlMs: _, cacheScope: __, ...rest }) => rest),
      },
    },
    {
      id: 'm.caching.server.pages-scope',
      side: 'server',
      fault: {
        outgoing: changeResult('tools/list', (result, { params }) =>
          params['cursor'] !== undefined && result['nextCursor'] === undefined
            ? { ...result, cacheScope: 'public' }
            : result,
        ),
      },
    },
    {
      id: 'm.caching.server.repeats',
      side: 'server',
      // Over HTTP all requests of 2026-07-28 look like those of one client.
      transports: ['stdio', 'websocket'],
      fault: {
        incoming: changeSent('tools/list', (message, { connection, reply }) => {
          const count = Number(connection.get('lists') ?? 0) + 1
          connection.set('lists', count)
          if (count < 18 || paramsOf(message)['cursor'] !== undefined) return message
          reply(errorFor(message, -32603, 'Asked for too often'))
          return undefined
        }),
      },
    },
    {
      id: 'm.caching.client.key',
      side: 'client',
      fault: {
        incoming: changeResult('resources/read', (result, { connection, params }) => {
          if (Number(result['ttlMs']) > 0) connection.set('kept', { uri: params['uri'], result })
          return result
        }),
        outgoing: readFromKept((kept, uri) => kept !== uri),
      },
    },
    {
      id: 'm.caching.client.freshness',
      side: 'client',
      fault: {
        incoming: changeResult('prompts/list', (result) => ({ ttlMs: 3_600_000, ...result })),
      },
    },
    {
      id: 'm.caching.client.no-mrtr',
      side: 'client',
      fault: {
        incoming: changeResult('resources/read', (result, { connection, params }) => {
          if (params['inputResponses'] !== undefined) connection.set('kept', { uri: params['uri'], result })
          return result
        }),
        outgoing: readFromKept((kept, uri) => kept === uri),
      },
    },
    {
      id: 'm.caching.client.invalidate',
      side: 'client',
      fault: { incoming: changeSent('notifications/tools/list_changed', () => undefined) },
    },
    {
      id: 'm.caching.client.polling',
      side: 'client',
      fault: {
        driver: (client) => {
          return replaceSteps(client, async (asked, step) => {
            const timer =
              asked.type === 'idle'
                ? setInterval(() => void step({ type: 'list', list: 'tools' }), 160)
                : undefined
            const outcome = await step(asked)
            clearInterval(timer)
            return outcome
          })
        },
      },
    },
    {
      id: 'm.caching.server.public-leak',
      side: 'server',
      fault: {
        outgoing: changeResult('tools/list', (result, { headers }) => {
          const tools = Array.isArray(result['tools']) ? (result['tools'] as unknown[]) : []
          const own = subjectOf(headers) === 'bob' ? tools.slice(1) : tools
          return { ...result, tools: own, cacheScope: 'public' }
        }),
      },
    },
  ],
}
