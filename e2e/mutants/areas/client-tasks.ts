import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { MetaKey } from '../../../server-core/protocol/meta-keys.ts'
import type { Mutant } from '../mutant.ts'

const object = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})
const isTask = (message: JsonObject | undefined): boolean => isJsonObject(object(message?.['params'])['task'])

/** Faults of clients that make tasks or serve them. */
export const CLIENT_TASK_MUTANTS: readonly Mutant[] = [
  {
    id: 'm.tasks.client.capability',
    side: 'client',
    fault: {
      outgoing: (message) =>
        message['method'] === 'tools/call'
          ? { ...message, params: { task: {}, ...object(message['params']) } }
          : message,
    },
  },
  {
    id: 'm.tasks.client.polling',
    side: 'client',
    fault: {
      outgoing: (message, { reply, connection }) => {
        const { taskId } = object(message['params'])
        if (message['method'] !== 'tasks/get' || connection.get('noticed') === true) return message
        const now = new Date().toISOString()
        const times = { createdAt: now, lastUpdatedAt: now, ttl: 60_000, pollInterval: 300 }
        reply({ jsonrpc: '2.0', id: message['id'], result: { taskId, status: 'working', ...times } })
        return undefined
      },
      incoming: (message, { connection }) => {
        if (message['method'] === 'notifications/tasks/status') connection.set('noticed', true)
        return message
      },
    },
  },
  {
    id: 'm.tasks.client.receiver',
    side: 'client',
    fault: {
      incoming: (message) => {
        if (!isTask(message) || message['method'] === 'tools/call') return message
        const { task: _, ...params } = object(message['params'])
        return { ...message, params }
      },
    },
    alsoBreaks: { 'tasks.client.declares': 'The client declared tasks and makes none.' },
  },
  {
    id: 'm.tasks.client.cursor',
    side: 'client',
    fault: {
      outgoing: (message) => {
        const params = object(message['params'])
        return message['method'] === 'tasks/list' && params['cursor'] !== undefined
          ? { ...message, params: { ...params, cursor: String(Number(params['cursor'])) } }
          : message
      },
    },
  },
  {
    id: 'm.tasks.client.meta',
    side: 'client',
    fault: {
      outgoing: (message, { answers }) => {
        const { [MetaKey.relatedTask]: related, ...meta } = object(object(message['result'])['_meta'])
        return related !== undefined && answers?.['method'] === 'elicitation/create'
          ? { ...message, result: { ...object(message['result']), _meta: meta } }
          : message
      },
    },
  },
  {
    id: 'm.tasks.client.cancel',
    side: 'client',
    fault: {
      outgoing: (message, { connection, reply }) => {
        if (isTask(message) && message['method'] === 'tools/call') connection.set('call', message['id'])
        if (message['method'] !== 'tasks/cancel') return message
        const { taskId } = object(message['params'])
        const now = new Date().toISOString()
        const times = { createdAt: now, lastUpdatedAt: now, ttl: 60_000 }
        reply({ jsonrpc: '2.0', id: message['id'], result: { taskId, status: 'cancelled', ...times } })
        const params = { requestId: connection.get('call') }
        return { jsonrpc: '2.0', method: 'notifications/cancelled', params }
      },
    },
  },
  {
    id: 'm.tasks.client.declares',
    side: 'client',
    fault: {
      outgoing: (message) => {
        if (message['method'] !== 'initialize') return message
        const params = object(message['params'])
        const capabilities = object(params['capabilities'])
        const tasks = object(capabilities['tasks'])
        const { elicitation: _, ...requests } = object(tasks['requests'])
        if (capabilities['tasks'] === undefined) return message
        return {
          ...message,
          params: { ...params, capabilities: { ...capabilities, tasks: { ...tasks, requests } } },
        }
      },
    },
  },
]
