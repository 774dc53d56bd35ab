import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import type { AreaProof } from '../area-proof.ts'
import { Messages, type ChangeMessage } from '../mutant.ts'

/** Changes the parameters of each progress notification. */
function withProgress(change: (params: JsonObject) => JsonObject): ChangeMessage {
  return (message) =>
    message['method'] === 'notifications/progress' && isJsonObject(message['params'])
      ? { ...message, params: change(message['params']) }
      : message
}

/** The mutants of the area `progress`. */
export const PROGRESS_PROOF: AreaProof = {
  mutants: [
    {
      id: 'm.progress.server.token',
      side: 'server',
      fault: {
        outgoing: withProgress((params) => ({ ...params, progressToken: String(params['progressToken']) })),
      },
    },
    {
      id: 'm.progress.server.increasing',
      side: 'server',
      fault: {
        outgoing: (message) =>
          message['method'] === 'notifications/progress' ? new Messages(message, message) : message,
      },
    },
    {
      id: 'm.progress.server.none-without-token',
      side: 'server',
      fault: {
        incoming: (message) => {
          const { params, method, id } = message
          if (method !== 'tools/call' || !isJsonObject(params)) return message
          const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
          return { ...message, params: { ...params, _meta: { progressToken: id, ...meta } } }
        },
      },
    },
  ],
}
