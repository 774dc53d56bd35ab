import { isJsonObject } from '../../../server-core/protocol/json.ts'
import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `resulttype`. */
export const RESULTTYPE_PROOF: AreaProof = {
  mutants: [
    {
      id: 'm.resulttype.server',
      side: 'server',
      fault: {
        outgoing: (message, { answers }) => {
          const { result } = message
          if (answers?.['method'] !== 'tools/call' || !isJsonObject(result)) return message
          const { resultType: _, ...rest } = result
          return { ...message, result: rest }
        },
      },
      alsoBreaks: {
        'ws.server.modern': 'a result over a WebSocket has to have its kind as on stdio',
      },
    },
    {
      id: 'm.resulttype.client-unknown',
      side: 'client',
      fault: {
        incoming: (message) => {
          const { result } = message
          return isJsonObject(result) && result['resultType'] === 'banana'
            ? { ...message, result: { ...result, resultType: 'complete' } }
            : message
        },
      },
    },
    {
      id: 'm.resulttype.client-absent',
      side: 'client',
      fault: {
        incoming: (message, { answers }) => {
          const { result } = message
          if (answers?.['method'] !== 'tools/call' || !isJsonObject(result)) return message
          return result['resultType'] === undefined
            ? { ...message, result: { ...result, resultType: 'invalid' } }
            : message
        },
      },
    },
  ],
}
