import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { MetaKey } from '../../../server-core/protocol/meta-keys.ts'
import type { AreaProof } from '../area-proof.ts'
import { Messages, type ChangeMessage, type Mutant } from '../mutant.ts'
import { replaceSteps } from '../replace-steps.ts'

const MODERN = '2026-07-28'
const RETRIES = 10

/** Changes the results of one method. */
const result =
  (method: string, change: (result: JsonObject) => JsonObject): ChangeMessage =>
  (message, { answers }) =>
    answers?.['method'] === method && isJsonObject(message['result'])
      ? { ...message, result: change(message['result']) }
      : message

const isModern = ({ params }: JsonObject) =>
  isJsonObject(params) && isJsonObject(params['_meta']) && MetaKey.protocolVersion in params['_meta']

const SERVERS: readonly Mutant[] = [
  {
    id: 'm.versioning.server.discover',
    side: 'server',
    fault: {
      outgoing: (message, { answers }) =>
        answers?.['method'] === 'server/discover'
          ? { jsonrpc: '2.0', id: message['id'], error: { code: -32601, message: 'Method not found' } }
          : message,
    },
    alsoBreaks: { 'ws.server.modern': 'discover is one of the requests that have to work as on stdio' },
  },
  {
    id: 'm.versioning.server.discover-optional',
    side: 'server',
    // Over HTTP nobody can tell connections apart.
    transports: ['stdio', 'websocket'],
    fault: {
      incoming: (message, { connection, reply }) => {
        if (message['method'] === 'server/discover') connection.set('discovered', true)
        if (!isModern(message) || !('id' in message) || connection.has('discovered')) return message
        reply({ jsonrpc: '2.0', id: message['id'], error: { code: -32600, message: 'Discover first' } })
        return undefined
      },
    },
  },
  {
    id: 'm.versioning.server.unsupported',
    side: 'server',
    fault: {
      outgoing: (message) => {
        const { error } = message
        if (!isJsonObject(error) || error['code'] !== -32022 || !isJsonObject(error['data'])) return message
        const { requested: _, ...data } = error['data']
        return { ...message, error: { ...error, data } }
      },
    },
    alsoBreaks: {
      'http26.server.version-unsupported': 'the body of that 400 has to name the version requested',
    },
  },
  {
    id: 'm.versioning.server.capabilities-truthful',
    side: 'server',
    fault: {
      outgoing: result('server/discover', (each) => {
        const { prompts: _, ...capabilities } = isJsonObject(each['capabilities']) ? each['capabilities'] : {}
        return { ...each, capabilities }
      }),
    },
  },
  {
    id: 'm.versioning.server.names-versions',
    side: 'server',
    fault: {
      server: (options) => ({ ...options, revisions: [MODERN] }),
      listener: (options) => ({ ...options, routes: { mcp: true, ws: true } }),
      outgoing: (message, { answers }) =>
        answers?.['method'] === 'initialize'
          ? { jsonrpc: '2.0', id: message['id'], error: { code: -32601, message: 'Method not found' } }
          : message,
    },
  },
  {
    id: 'm.versioning.server.dual',
    side: 'server',
    fault: {
      incoming: (message, { peer, reply }) => {
        if (isModern(message)) peer.set('modern', true)
        const isEnded = peer.has('modern') && String(message['id']).startsWith('legacy-')
        if (!isEnded) return message
        reply({
          jsonrpc: '2.0',
          id: message['id'],
          error: { code: -32600, message: 'The session has ended' },
        })
        return undefined
      },
    },
  },
  {
    id: 'm.versioning.extension-fallback/server',
    side: 'server',
    fault: {
      outgoing: (message, { answers }) => {
        const params = isJsonObject(answers?.['params']) ? answers['params'] : {}
        return params['name'] === 'slow_compute' && isJsonObject(message['result'])
          ? { ...message, result: { ...message['result'], resultType: 'task', taskId: 'task-1' } }
          : message
      },
    },
    alsoBreaks: { 'resulttype.server': 'a kind that was not negotiated is unknown' },
  },
]

const CLIENTS: readonly Mutant[] = [
  {
    id: 'm.versioning.client.retry',
    side: 'client',
    fault: {
      driver: (client) =>
        replaceSteps(client, async (asked, step) => {
          const attempt = () => step(asked)
          let outcome = await attempt()
          for (let count = 0; count < RETRIES && outcome.type === 'failed'; count += 1) {
            if (asked.type !== 'connect' || !outcome.message.includes('revision in common')) break
            outcome = await attempt()
          }
          return outcome
        }),
    },
  },
  {
    id: 'm.versioning.client.era-cache',
    side: 'client',
    fault: {
      driver: (client) => {
        let connects = 0
        return replaceSteps(client, async (asked, step) => {
          connects += asked.type === 'connect' ? 1 : 0
          return asked.type === 'connect' && connects > 2
            ? { type: 'failed', message: 'the server does not speak the revision that is remembered' }
            : step(asked)
        })
      },
    },
  },
  {
    id: 'm.versioning.extension-fallback/client',
    side: 'client',
    fault: {
      outgoing: (message) =>
        message['method'] === 'prompts/list'
          ? new Messages(
              {
                ...message,
                id: 'task-1',
                method: 'tasks/get',
                params: { ...asObject(message['params']), taskId: 'none' },
              },
              message,
            )
          : message,
    },
    alsoBreaks: {
      'http26.client.headers': 'the proxy sends both messages with the headers of one',
    },
  },
]

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** The mutants of the area `versioning`. */
export const VERSIONING_PROOF: AreaProof = { mutants: [...SERVERS, ...CLIENTS] }
