import { isJsonObject } from '../../../server-core/protocol/json.ts'
import type { AreaProof } from '../area-proof.ts'
import { Messages, type Mutant } from '../mutant.ts'
import { replaceSteps } from '../replace-steps.ts'

const SERVERS: readonly Mutant[] = [
  {
    id: 'm.ws.server.subprotocol',
    side: 'server',
    fault: { webSocket: { protocol: (offered) => offered[0] ?? '' } },
  },
  { id: 'm.ws.server.frames', side: 'server', fault: { webSocket: { readsBinary: true } } },
  // Without a limit it runs out of memory.
  { id: 'm.ws.server.big', side: 'server', fault: { webSocket: { diesAbove: 32 * 1024 * 1024 } } },
  { id: 'm.ws.server.origin', side: 'server', fault: { webSocket: { admitsAll: true } } },
  {
    id: 'm.ws.server.session',
    side: 'server',
    fault: {
      incoming: (message, { connection, peer }) => {
        if (message['method'] === 'initialize') {
          connection.set('opened', true)
          // The first connections of a run are those of discovery; what they leave behind is known before any check.
          if (JSON.stringify(message).includes('patchbay-second')) peer.set('initialize', message)
        }
        const opening = peer.get('initialize')
        if (connection.has('opened') || !isJsonObject(opening)) return message
        connection.set('opened', true)
        const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
        return new Messages({ ...opening, id: 'remembered' }, initialized, message)
      },
      outgoing: (message) => (message['id'] === 'remembered' ? undefined : message),
    },
  },
  {
    id: 'm.ws.server.modern',
    side: 'server',
    fault: {
      outgoing: (message, { transport }) => {
        const { result } = message
        if (transport !== 'websocket' || !isJsonObject(result) || !('resultType' in result)) return message
        const { resultType: _, _meta: __, ...rest } = result
        return { ...message, result: rest }
      },
    },
    alsoBreaks: { 'resulttype.server': 'a result without its kind' },
  },
  { id: 'm.ws.server.batch', side: 'server', fault: { webSocket: { unwrapsArrays: true } } },
  { id: 'm.ws.server.close', side: 'server', fault: { webSocket: { diesOnClose: true } } },
]

const CLIENTS: readonly Mutant[] = [
  {
    id: 'm.ws.client.subprotocol',
    side: 'client',
    fault: { webSocket: { path: (path) => `${path}?access_token=secret` } },
  },
  { id: 'm.ws.client.frames', side: 'client', fault: { webSocket: { dropsFragments: true } } },
  {
    id: 'm.ws.client.modern',
    side: 'client',
    fault: {
      outgoing: (message) => (message['method'] === 'notifications/cancelled' ? undefined : message),
      driver: (client) =>
        replaceSteps(client, (asked, step) => {
          if (asked.type === 'call' && asked.cancelAfterMs !== undefined)
            setTimeout(() => void step({ type: 'close' }), asked.cancelAfterMs)
          return step(asked)
        }),
    },
  },
  {
    id: 'm.ws.client.session',
    side: 'client',
    fault: {
      outgoing: (message, { peer, connection, reply }) => {
        const first = peer.get('first') ?? connection
        peer.set('first', first)
        if (first === connection) return message
        if (message['method'] === 'notifications/initialized') return undefined
        if (message['method'] !== 'initialize') return message
        reply({
          jsonrpc: '2.0',
          id: message['id'],
          result: {
            protocolVersion: isJsonObject(message['params']) ? message['params']['protocolVersion'] : '',
            capabilities: { tools: {}, resources: {}, prompts: {} },
            serverInfo: { name: 'remembered', version: '1.0.0' },
          },
        })
        return undefined
      },
    },
  },
]

/** The mutants of the area `ws`. */
export const WS_PROOF: AreaProof = { mutants: [...SERVERS, ...CLIENTS] }
