import { setTimeout as wait } from 'node:timers/promises'
import { DEFAULT_LIMITS } from '../../../server-core/protocol/limits.ts'
import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { MetaKey } from '../../../server-core/protocol/meta-keys.ts'
import type { AreaProof } from '../area-proof.ts'
import type { ChangeMessage, MessageContext } from '../mutant.ts'
import { CLIENT_TASK_MUTANTS } from './client-tasks.ts'

const object = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})
const paramsOf = (message: JsonObject | undefined): JsonObject => object(message?.['params'])
const resultOf = (message: JsonObject): JsonObject => object(message['result'])

/** Changes the results of a method. */
const results =
  (method: string, change: (result: JsonObject, context: MessageContext) => JsonObject): ChangeMessage =>
  (message, context) =>
    context.answers?.['method'] === method && isJsonObject(message['result'])
      ? { ...message, result: change(message['result'], context) }
      : message

/** Refuses a request in place of the server. */
const refuse = ({ id }: JsonObject, context: MessageContext): undefined => {
  context.reply({ jsonrpc: '2.0', id, error: { code: -32602, message: 'Refused by a fault' } })
}

const withoutKey = (holder: JsonObject): JsonObject => {
  const { [MetaKey.relatedTask]: _, ...meta } = object(holder['_meta'])
  return { ...holder, _meta: meta }
}

const asCompleted = (task: JsonObject): JsonObject => ({ ...task, status: 'completed' })

/** The mutants of the area `tasks`. */
export const TASKS_PROOF: AreaProof = {
  mutants: [
    {
      id: 'm.tasks.server.capability',
      side: 'server',
      fault: {
        outgoing: results('initialize', (result) => {
          const { tasks: _, ...capabilities } = object(result['capabilities'])
          return { ...result, capabilities }
        }),
        incoming: (message, context) =>
          message['method'] === 'tools/call' && paramsOf(message)['task'] !== undefined
            ? refuse(message, context)
            : message,
      },
      alsoBreaks: Object.fromEntries(
        ['tool-modes', 'create'].map((name) => [
          `tasks.server.${name}`,
          'Tools still say that they may be tasks.',
        ]),
      ),
    },
    {
      id: 'm.tasks.server.tool-modes',
      side: 'server',
      fault: {
        incoming: (message, context) => {
          const { name, task } = paramsOf(message)
          if (message['method'] !== 'tools/call' || name !== 'failing_job' || task !== undefined)
            return message
          context.reply({ jsonrpc: '2.0', id: message['id'], result: { content: [] } })
          return undefined
        },
      },
    },
    {
      id: 'm.tasks.server.create',
      side: 'server',
      fault: {
        outgoing: results('tools/call', (result) =>
          isJsonObject(result['task']) ? { ...result, task: asCompleted(result['task']) } : result,
        ),
      },
      alsoBreaks: {
        'tasks.server.lifecycle': 'The task is shown as working after it was shown as completed.',
      },
    },
    {
      id: 'm.tasks.server.lifecycle',
      side: 'server',
      fault: {
        outgoing: results('tasks/get', (result, { peer }) => {
          if (result['status'] !== 'completed') return result
          const key = `looks ${String(result['taskId'])}`
          const looks = Number(peer.get(key) ?? 0)
          peer.set(key, looks + 1)
          return looks === 2 ? { ...result, status: 'working' } : result
        }),
      },
    },
    {
      id: 'm.tasks.server.result',
      side: 'server',
      fault: {
        incoming: (message, context) => {
          const taskId = String(paramsOf(message)['taskId'])
          if (message['method'] !== 'tasks/result' || context.peer.get(`over ${taskId}`) === true)
            return message
          refuse(message, context)
          return undefined
        },
        outgoing: (message, { answers, peer }) => {
          const { taskId, status } = resultOf(message)
          const isState = answers?.['method'] === 'tasks/get'
          if (isState && ['completed', 'failed', 'cancelled', 'input_required'].includes(String(status)))
            peer.set(`over ${String(taskId)}`, true)
          return message
        },
      },
      alsoBreaks: {
        'tasks.server.http': 'It asks for the result of a task that works.',
      },
    },
    {
      id: 'm.tasks.server.input',
      side: 'server',
      fault: {
        outgoing: (message) =>
          message['method'] === 'elicitation/create'
            ? { ...message, params: withoutKey(paramsOf(message)) }
            : message,
      },
    },
    {
      id: 'm.tasks.server.meta',
      side: 'server',
      fault: {
        outgoing: (message) =>
          message['method'] === 'notifications/progress' && isJsonObject(paramsOf(message)['_meta'])
            ? { ...message, params: withoutKey(paramsOf(message)) }
            : message,
      },
    },
    {
      id: 'm.tasks.server.meta-ignored',
      side: 'server',
      fault: {
        incoming: (message) => {
          const related = object(object(paramsOf(message)['_meta'])[MetaKey.relatedTask])['taskId']
          return message['method'] === 'tasks/get' && related !== undefined
            ? { ...message, params: { ...paramsOf(message), taskId: related } }
            : message
        },
      },
    },
    {
      id: 'm.tasks.server.list',
      side: 'server',
      fault: {
        outgoing: results('tasks/list', (result, { answers }) =>
          result['nextCursor'] === undefined
            ? { ...result, nextCursor: paramsOf(answers)['cursor'] ?? 'first' }
            : result,
        ),
        incoming: (message) => {
          if (message['method'] !== 'tasks/list' || paramsOf(message)['cursor'] !== 'first') return message
          const { cursor: _, ...params } = paramsOf(message)
          return { ...message, params }
        },
      },
    },
    {
      id: 'm.tasks.server.cancel',
      side: 'server',
      fault: {
        outgoing: results('tasks/get', (result) =>
          result['status'] === 'cancelled' ? asCompleted(result) : result,
        ),
      },
    },
    {
      id: 'm.tasks.server.unknown',
      side: 'server',
      fault: {
        outgoing: (message, { answers }) =>
          answers?.['method'] === 'tasks/result' && object(message['error'])['code'] === -32602
            ? undefined
            : message,
      },
      transports: ['stdio', 'websocket'],
    },
    {
      id: 'm.tasks.server.failed',
      side: 'server',
      fault: {
        outgoing: results('tasks/get', (result) =>
          result['status'] === 'failed' ? asCompleted(result) : result,
        ),
      },
    },
    {
      id: 'm.tasks.server.isolation',
      side: 'server',
      fault: {
        outgoing: (message, { answers, peer }) => {
          const { task, tasks } = resultOf(message)
          const method = answers?.['method']
          const known = (peer.get('tasks') ?? []) as unknown[]
          if (method === 'tools/call' && isJsonObject(task)) peer.set('tasks', [...known, task])
          if (method !== 'tasks/list' || !Array.isArray(tasks)) return message
          return tasks.length > 0 ? message : { ...message, result: { ...resultOf(message), tasks: known } }
        },
      },
    },
    {
      id: 'm.tasks.server.progress',
      side: 'server',
      fault: {
        outgoing: (message) => {
          const { progressToken: _, ...params } = paramsOf(message)
          return message['method'] === 'notifications/progress' && isJsonObject(params['_meta'])
            ? { ...message, params: { ...params, progressToken: 'another' } }
            : message
        },
      },
    },
    {
      id: 'm.tasks.server.cancelled-notification',
      side: 'server',
      fault: {
        incoming: (message, { connection }) => {
          if (message['method'] !== 'notifications/cancelled') return message
          const taskId = connection.get(`task of ${JSON.stringify(paramsOf(message)['requestId'])}`)
          return taskId === undefined
            ? message
            : { jsonrpc: '2.0', id: 'fault', method: 'tasks/cancel', params: { taskId } }
        },
        outgoing: (message, { answers, connection }) => {
          if (message['id'] === 'fault') return undefined
          const { task } = resultOf(message)
          if (isJsonObject(task)) connection.set(`task of ${JSON.stringify(answers?.['id'])}`, task['taskId'])
          return message
        },
      },
    },
    {
      id: 'm.tasks.server.http',
      side: 'server',
      fault: {
        incoming: (message, context) => {
          if (message['method'] !== 'tasks/result') return message
          const key = `open ${String(paramsOf(message)['taskId'])}`
          if (context.peer.get(key) === true) {
            refuse(message, context)
            return undefined
          }
          context.peer.set(key, true)
          return message
        },
        outgoing: (message, { answers, peer }) => {
          if (answers?.['method'] === 'tasks/result')
            peer.delete(`open ${String(paramsOf(answers)['taskId'])}`)
          return message
        },
      },
    },
    {
      id: 'm.tasks.server.limits',
      side: 'server',
      fault: {
        server: (options) => ({ ...options, limits: { ...DEFAULT_LIMITS, tasks: 100_000 } }),
        outgoing: results('tools/call', (result, { answers }) =>
          isJsonObject(result['task'])
            ? {
                ...result,
                task: { ...result['task'], ttl: object(paramsOf(answers)['task'])['ttl'] ?? 60_000 },
              }
            : result,
        ),
      },
    },
    ...CLIENT_TASK_MUTANTS,
  ],
  fixtures: (registry) => {
    registry.addTool({
      name: 'test_task_progress',
      description: 'Reports progress as a task.',
      taskSupport: 'optional',
      run: async (_args, ctx) => {
        for (let count = 1; count <= 3; count += 1) {
          await wait(60)
          ctx.progress(count, 3)
        }
        await wait(60)
        return 'done'
      },
    })
  },
}
