import { isJsonObject } from '../../../server-core/protocol/json.ts'
import type { AreaProof } from '../area-proof.ts'
import { changeAnswer, changeResult, errorFor, paramsOf } from './changes-message.ts'
import { undeclared } from './tools.ts'

/** The mutants of the area `completion`. */
export const COMPLETION_PROOF: AreaProof = {
  mutants: [
    {
      id: 'm.completion.server.basic',
      side: 'server',
      fault: {
        outgoing: changeResult('completion/complete', (result) => ({
          ...result,
          completion: { values: Array.from({ length: 250 }, (_, index) => `value ${index}`) },
        })),
      },
      alsoBreaks: { 'completion.server.errors': 'an unknown argument has values, too' },
    },
    {
      id: 'm.completion.server.errors',
      side: 'server',
      fault: {
        outgoing: changeAnswer('completion/complete', (message, { params, answers }) => {
          const { ref } = params
          if (!isJsonObject(ref) || ref['name'] !== 'patchbay_none') return message
          const isModern = isJsonObject(paramsOf(answers)['_meta'])
          const completion = { values: [] }
          return {
            jsonrpc: '2.0',
            id: message['id'],
            result: { ...(isModern && { resultType: 'complete' }), completion },
          }
        }),
      },
    },
    {
      id: 'm.completion.server.undeclared',
      side: 'server',
      fault: { outgoing: undeclared('completions') },
      alsoBreaks: {
        'versioning.server.capabilities-truthful': 'completions are served that are not declared',
      },
    },
    {
      id: 'm.completion.client.tolerant',
      side: 'client',
      fault: {
        incoming: changeAnswer('completion/complete', (message) => {
          const { result } = message
          const completion = isJsonObject(result) ? result['completion'] : undefined
          return isJsonObject(completion) && !('total' in completion)
            ? errorFor(message, -32603, 'total is required')
            : message
        }),
      },
    },
  ],
}
