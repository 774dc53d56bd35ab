import { isJsonObject } from '../../../server-core/protocol/json.ts'
import type { AreaProof } from '../area-proof.ts'
import { changeAnswerTo, changeDeclared } from './asked-questions.ts'
import { changeResult, changeSent } from './changes-message.ts'

/** The mutants of the area `roots`. */
export const ROOTS_PROOF: AreaProof = {
  mutants: [
    {
      id: 'm.roots.client.capability',
      side: 'client',
      fault: {
        connect: (options) => ({
          ...options,
          responders: { roots: () => Promise.resolve({ roots: [] }), ...options.responders },
        }),
        outgoing: changeDeclared(({ roots: _, ...rest }) => rest),
      },
    },
    {
      id: 'm.roots.client.uris',
      side: 'client',
      fault: {
        outgoing: changeAnswerTo('roots/list', (result) => ({
          ...result,
          roots: (Array.isArray(result['roots']) ? (result['roots'] as unknown[]) : []).map((root) =>
            isJsonObject(root) ? { ...root, uri: String(root['uri']).replace('file://', '') } : root,
          ),
        })),
      },
    },
    {
      id: 'm.roots.client.changed',
      side: 'client',
      fault: { outgoing: changeSent('notifications/roots/list_changed', () => undefined) },
    },
    {
      id: 'm.roots.server.use',
      side: 'server',
      fault: {
        outgoing: changeResult('tools/call', (result, { connection, params }) => {
          if (
            params['name'] !== 'test_roots' ||
            !Array.isArray(result['content']) ||
            result['isError'] === true
          )
            return result
          const first = connection.get('first') ?? result['content']
          connection.set('first', first)
          return { ...result, content: first }
        }),
      },
    },
  ],
}
