import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import type { AreaProof } from '../area-proof.ts'
import type { ChangeHttp, MessageContext } from '../mutant.ts'

const object = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

/** The header Mcp-Name of requests about tasks, made right or left out. */
const nameOfTask =
  (isRight: boolean): ChangeHttp =>
  (request, next) => {
    if (request.headers['mcp-method'] !== 'tasks/get') return next(request)
    const { 'mcp-name': _, ...headers } = request.headers
    if (!isRight) return next({ ...request, headers })
    const message = object(JSON.parse(request.body.toString()) as unknown)
    const name = String(object(message['params'])['taskId'])
    return next({ ...request, headers: { ...headers, 'mcp-name': name } })
  }

/** The questions of a task under one key, one after the other. */
function oneKey(result: JsonObject, { peer, answers }: MessageContext): JsonObject {
  const [first] = Object.entries(object(result['inputRequests']))
  if (first === undefined) return result
  peer.set(String(object(answers?.['params'])['taskId']), first[0])
  return { ...result, inputRequests: { 1: first[1] } }
}

/** The mutants of the area `ext-tasks`. */
export const EXT_TASKS_PROOF: AreaProof = {
  mutants: [
    {
      id: 'm.ext-tasks.gate',
      side: 'server',
      fault: {
        outgoing: (message, { answers }) => {
          const params = object(answers?.['params'])
          const isMine = answers?.['method'] === 'tools/call' && params['name'] === 'slow_compute'
          const result = object(message['result'])
          if (!isMine || result['resultType'] !== 'complete') return message
          const now = new Date().toISOString()
          const times = { createdAt: now, lastUpdatedAt: now, ttlMs: 1_000 }
          return {
            ...message,
            result: {
              resultType: 'task',
              taskId: 'fault',
              status: 'working',
              ...times,
              _meta: result['_meta'],
            },
          }
        },
      },
    },
    {
      id: 'm.ext-tasks.life',
      side: 'server',
      fault: {
        outgoing: (message, { answers, peer }) => {
          const taskId = object(answers?.['params'])['taskId']
          if (answers?.['method'] !== 'tasks/get' || peer.get(`known ${String(taskId)}`) === true)
            return message
          peer.set(`known ${String(taskId)}`, true)
          const { result: _, ...rest } = message
          return { ...rest, error: { code: -32602, message: 'There is no such task' } }
        },
      },
      alsoBreaks: {
        'ext-tasks.header': 'It looks at a task right after its creation.',
      },
    },
    {
      id: 'm.ext-tasks.input',
      side: 'server',
      fault: {
        incoming: (message, { peer }) => {
          const params = object(message['params'])
          const answer = object(params['inputResponses'])['1']
          const key = peer.get(String(params['taskId']))
          if (message['method'] !== 'tasks/update' || answer === undefined || typeof key !== 'string')
            return message
          return { ...message, params: { ...params, inputResponses: { [key]: answer } } }
        },
        outgoing: (message, context) =>
          context.answers?.['method'] === 'tasks/get' && isJsonObject(message['result'])
            ? { ...message, result: oneKey(message['result'], context) }
            : message,
      },
    },
    { id: 'm.ext-tasks.header/server', side: 'server', fault: { http: nameOfTask(true) } },
    { id: 'm.ext-tasks.header/client', side: 'client', fault: { http: nameOfTask(false) } },
  ],
}
