import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import type { AreaProof } from '../area-proof.ts'
import { Messages, type ChangeMessage, type Mutant } from '../mutant.ts'
import { replaceSteps } from '../replace-steps.ts'
import { LIFECYCLE_END_MUTANTS } from './lifecycle-ends.ts'

const LINES = ['stdio', 'websocket'] as const
const isInitialize = (message: JsonObject | undefined) => message?.['method'] === 'initialize'

/** Changes the answer to initialize. */
function withOpening(change: (result: JsonObject, asked: JsonObject) => JsonObject): ChangeMessage {
  return (message, { answers }) => {
    const { result } = message
    if (answers === undefined || !isInitialize(answers) || !isJsonObject(result)) return message
    const asked = isJsonObject(answers['params']) ? answers['params'] : {}
    return { ...message, result: change(result, asked) }
  }
}

const SERVER: readonly Mutant[] = [
  {
    id: 'm.lifecycle.server.handshake',
    side: 'server',
    revisions: ['2025-11-25'],
    fault: { outgoing: withOpening((result) => ({ ...result, serverInfo: { name: 'patchbay-reference' } })) },
  },
  {
    id: 'm.lifecycle.server.version-echo',
    side: 'server',
    revisions: ['2025-06-18'],
    fault: { outgoing: withOpening((result) => ({ ...result, protocolVersion: '2025-11-25' })) },
  },
  {
    id: 'm.lifecycle.server.version-counter',
    side: 'server',
    fault: {
      outgoing: withOpening((result, { protocolVersion }) => ({ ...result, protocolVersion })),
    },
  },
  {
    id: 'm.lifecycle.server.before-initialize',
    side: 'server',
    transports: LINES,
    fault: {
      incoming: (message, { connection, crash }) => {
        if (isInitialize(message)) connection.set('opened', true)
        if (message['method'] === 'tools/list' && !connection.has('opened')) crash?.()
        return message
      },
    },
  },
  {
    id: 'm.lifecycle.server.second-initialize',
    side: 'server',
    transports: LINES,
    fault: {
      incoming: (message, { connection, reply }) => {
        if (!isInitialize(message)) return message
        if (connection.get('opened') !== true) {
          connection.set('opened', true)
          return message
        }
        const params = isJsonObject(message['params']) ? message['params'] : {}
        const { protocolVersion } = params
        const serverInfo = { name: 'patchbay-reference', version: '1.0.0' }
        reply({
          jsonrpc: '2.0',
          id: message['id'],
          result: { protocolVersion, capabilities: {}, serverInfo },
        })
        return undefined
      },
    },
  },
  {
    id: 'm.lifecycle.server.quiet',
    side: 'server',
    transports: LINES,
    fault: {
      outgoing: (message, { answers }) =>
        isInitialize(answers)
          ? new Messages(message, { jsonrpc: '2.0', id: 'early', method: 'roots/list' })
          : message,
    },
  },
  {
    id: 'm.lifecycle.version.kept/server',
    side: 'server',
    revisions: ['2025-03-26'],
    transports: LINES,
    fault: {
      outgoing: (message, { answers }) =>
        answers?.['method'] === 'tools/call'
          ? new Messages({ jsonrpc: '2.0', id: 'form', method: 'elicitation/create', params: {} }, message)
          : message,
    },
  },
  {
    id: 'm.lifecycle.errors.prepared.server',
    side: 'server',
    transports: LINES,
    fault: {
      incoming: (message, { connection }) => {
        const params = isJsonObject(message['params']) ? message['params'] : {}
        if (isInitialize(message) && !isJsonObject(params['capabilities'])) connection.set('dead', true)
        return connection.get('dead') === true ? undefined : message
      },
    },
  },
]

const CLIENT: readonly Mutant[] = [
  {
    id: 'm.lifecycle.client.first-message',
    side: 'client',
    revisions: ['2025-11-25'],
    fault: {
      outgoing: (message) => {
        const { params } = message
        return isInitialize(message) && isJsonObject(params)
          ? { ...message, params: { ...params, clientInfo: { name: 'patchbay' } } }
          : message
      },
    },
  },
  {
    id: 'm.lifecycle.client.initialized',
    side: 'client',
    fault: {
      outgoing: (message) => (message['method'] === 'notifications/initialized' ? undefined : message),
    },
  },
  {
    id: 'm.lifecycle.client.quiet',
    side: 'client',
    transports: LINES,
    fault: {
      outgoing: (message) =>
        isInitialize(message)
          ? new Messages(message, { jsonrpc: '2.0', id: 'early', method: 'tools/list' })
          : message,
    },
  },
  {
    id: 'm.lifecycle.client.version-offer',
    side: 'client',
    fault: {
      outgoing: (message) => {
        const { params } = message
        return isInitialize(message) && isJsonObject(params)
          ? { ...message, params: { ...params, protocolVersion: '2025-12-01' } }
          : message
      },
    },
  },
  {
    id: 'm.lifecycle.client.version-unsupported',
    side: 'client',
    fault: {
      incoming: (message, { answers }) => {
        const { result } = message
        if (!isInitialize(answers) || !isJsonObject(result)) return message
        const asked = isJsonObject(answers?.['params']) ? answers['params'] : {}
        return { ...message, result: { ...result, protocolVersion: asked['protocolVersion'] } }
      },
    },
  },
  {
    id: 'm.lifecycle.errors.prepared.client',
    side: 'client',
    fault: {
      driver: (client) =>
        replaceSteps(client, async (asked, step) => {
          const outcome = await step(asked)
          const waits = asked.type === 'connect' && outcome.type === 'failed'
          return waits ? new Promise<never>(() => undefined) : outcome
        }),
    },
  },
  {
    id: 'm.lifecycle.version.kept/client',
    side: 'client',
    revisions: ['2024-11-05'],
    fault: {
      outgoing: (message) => (message['method'] === 'ping' ? { ...message, method: 'tasks/list' } : message),
    },
  },
]

/** The mutants of the area `lifecycle`. */
export const LIFECYCLE_PROOF: AreaProof = {
  mutants: [...SERVER, ...CLIENT, ...LIFECYCLE_END_MUTANTS],
}
