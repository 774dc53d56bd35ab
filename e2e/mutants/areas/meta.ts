import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { MetaKey } from '../../../server-core/protocol/meta-keys.ts'
import type { AreaProof } from '../area-proof.ts'
import type { ChangeMessage } from '../mutant.ts'
import { changeResult, paramsOf } from './changes-message.ts'

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

const UPPER_CASE = '00-4BF92F3577B34DA6A3CE929D0E0E4736-00F067AA0BA902B7-01'

/** Adds metadata to every result. */
function addToResults(more: JsonObject): ChangeMessage {
  return (message) => {
    const { result } = message
    if (!isJsonObject(result)) return message
    const meta = isJsonObject(result['_meta']) ? result['_meta'] : {}
    return { ...message, result: { ...result, _meta: { ...meta, ...more } } }
  }
}

/** Adds metadata to every request. */
function addToRequests(more: JsonObject): ChangeMessage {
  return (message) => {
    if (message['method'] === undefined || message['id'] === undefined) return message
    const { _meta: meta } = paramsOf(message)
    return {
      ...message,
      params: { ...paramsOf(message), _meta: { ...(isJsonObject(meta) && meta), ...more } },
    }
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
          const meta = isJsonObject(result['_meta']) ? result['_meta'] : {}
          const { [MetaKey.serverInfo]: _, ...rest } = meta
          return { ...message, result: { ...result, _meta: rest } }
        },
      },
    },
    {
      id: 'm.meta.keys/server',
      side: 'server',
      fault: { outgoing: addToResults({ 'io.modelcontextprotocol/mine': 1 }) },
    },
    {
      id: 'm.meta.keys/client',
      side: 'client',
      fault: { outgoing: addToRequests({ 'io.modelcontextprotocol/mine': 1 }) },
    },
    {
      id: 'm.meta.trace/server',
      side: 'server',
      fault: { outgoing: addToResults({ traceparent: UPPER_CASE }) },
    },
    {
      id: 'm.meta.trace/client',
      side: 'client',
      fault: { outgoing: addToRequests({ traceparent: UPPER_CASE }) },
    },
    {
      id: 'm.meta.info-neutral',
      side: 'server',
      fault: {
        outgoing: changeResult('tools/list', (result, { params }) => {
          const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
          const client = meta[MetaKey.clientInfo]
          const isHost = isJsonObject(client) && client['name'] === 'desktop-host'
          const tools = Array.isArray(result['tools']) ? (result['tools'] as unknown[]) : []
          return isHost ? result : { ...result, tools: tools.slice(1) }
        }),
      },
    },
    {
      id: 'm.meta.info-neutral.client',
      side: 'client',
      fault: {
        incoming: (message, { peer }) => {
          const { result } = message
          const meta = isJsonObject(result) && isJsonObject(result['_meta']) ? result['_meta'] : {}
          const server = meta[MetaKey.serverInfo]
          if (isJsonObject(server)) peer.set('isGithub', server['name'] === 'github')
          return message
        },
        outgoing: (message, { peer, reply }) => {
          if (message['method'] !== 'prompts/list' || peer.get('isGithub') !== true) return message
          const result = { resultType: 'complete', prompts: [], ttlMs: 0, cacheScope: 'private', _meta: {} }
          reply({ jsonrpc: '2.0', id: message['id'], result })
          return undefined
        },
      },
    },
  ],
}
