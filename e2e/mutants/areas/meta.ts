import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { MetaKey } from '../../../server-core/protocol/meta-keys.ts'
import type { AreaProof } from '../area-proof.ts'
import type { ChangeMessage } from '../mutant.ts'

/** Changes `_meta` of the requests that are meant. */
function withMeta(
  isMeant: (meta: JsonObject, request: JsonObject) => boolean,
  change: (meta: JsonObject) => JsonObject,
): ChangeMessage {
  return (message) => {
    const { params } = message
    const meta = isJsonObject(params) ? params['_meta'] : undefined
    return isJsonObject(params) && isJsonObject(meta) && isMeant(meta, message)
      ? { ...message, params: { ...params, _meta: change(meta) } }
      : message
  }
}

/** The mutants of the area `meta`. */
export const META_PROOF: AreaProof = {
  mutants: [
    {
      id: 'm.meta.required.client',
      side: 'client',
      transports: ['stdio', 'websocket'],
      fault: {
        outgoing: withMeta(
          (_meta, { method }) => method === 'resources/read',
          ({ [MetaKey.clientCapabilities]: _, ...meta }) => meta,
        ),
      },
    },
    {
      id: 'm.meta.required.server',
      side: 'server',
      fault: {
        incoming: withMeta(
          (meta) =>
            meta[MetaKey.protocolVersion] !== undefined && meta[MetaKey.clientCapabilities] === undefined,
          (meta) => ({ ...meta, [MetaKey.clientCapabilities]: {} }),
        ),
      },
    },
    {
      id: 'm.meta.client-info-optional',
      side: 'server',
      fault: {
        incoming: (message, { reply }) => {
          const { params } = message
          const meta = isJsonObject(params) && isJsonObject(params['_meta']) ? params['_meta'] : {}
          if (meta[MetaKey.protocolVersion] === undefined || meta[MetaKey.clientInfo] !== undefined)
            return message
          reply({
            jsonrpc: '2.0',
            id: message['id'],
            error: { code: -32_602, message: 'clientInfo is missing' },
          })
          return undefined
        },
      },
    },
    {
      id: 'm.meta.server-info',
      side: 'server',
      fault: {
        outgoing: (message, { answers }) => {
          const { result } = message
          if (!isJsonObject(result) || answers?.['method'] === 'server/discover') return message
          const { _meta: _, ...rest } = result
          return { ...message, result: rest }
        },
      },
    },
  ],
}
