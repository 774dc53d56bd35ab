import { isJsonObject } from '../../../server-core/protocol/json.ts'
import type { AreaProof } from '../area-proof.ts'
import { changeAnswer, changeResult, changeSent, errorFor, paramsOf } from './changes-message.ts'
import { undeclared } from './tools.ts'

/** The mutants of the area `prompts`. */
export const PROMPTS_PROOF: AreaProof = {
  mutants: [
    { id: 'm.prompts.server.capability', side: 'server', fault: { outgoing: undeclared('prompts') } },
    {
      id: 'm.prompts.server.unknown',
      side: 'server',
      fault: {
        outgoing: changeAnswer('prompts/get', (message, { params }) =>
          params['name'] === 'patchbay_unknown_prompt'
            ? errorFor(message, -32603, 'No such prompt')
            : message,
        ),
      },
    },
    {
      id: 'm.prompts.server.missing-argument',
      side: 'server',
      fault: {
        incoming: changeSent('prompts/get', (message) => {
          const params = paramsOf(message)
          const given = isJsonObject(params['arguments']) ? params['arguments'] : {}
          return { ...message, params: { ...params, arguments: { arg1: '', arg2: '', ...given } } }
        }),
      },
    },
    {
      id: 'm.prompts.server.injection',
      side: 'server',
      fault: {
        outgoing: changeResult(
          'prompts/get',
          (result) =>
            JSON.parse(
              JSON.stringify(result).replace(/\{\{(\d+)\*(\d+)\}\}/g, (_, a, b) =>
                String(Number(a) * Number(b)),
              ),
            ) as typeof result,
        ),
      },
    },
    {
      id: 'm.prompts.server.get',
      side: 'server',
      fault: {
        outgoing: changeResult('prompts/get', (result) => ({
          ...result,
          messages: (Array.isArray(result['messages']) ? (result['messages'] as unknown[]) : []).map(
            (message) => {
              if (!isJsonObject(message)) return message
              const { role: _, ...rest } = message
              return rest
            },
          ),
        })),
      },
    },
  ],
}
