import { setTimeout as wait } from 'node:timers/promises'
import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import type { AreaProof } from '../area-proof.ts'
import { Messages, type ChangeMessage } from '../mutant.ts'
import { errorFor, paramsOf } from './changes-message.ts'

/** Changes the parameters of each progress notification. */
function withProgress(change: (params: JsonObject) => JsonObject): ChangeMessage {
  return (message) =>
    message['method'] === 'notifications/progress' && isJsonObject(message['params'])
      ? { ...message, params: change(message['params']) }
      : message
}

/** Makes the tokens of the reference server different. */
let asked = 0

const LINES = ['stdio', 'websocket'] as const
const PROGRESS = 'notifications/progress'

/** The token that a request gives. */
function tokenOf(message: JsonObject | undefined): unknown {
  const { _meta: meta } = paramsOf(message)
  return isJsonObject(meta) ? meta['progressToken'] : undefined
}

const progressOf = (progressToken: unknown, progress: number) => ({
  jsonrpc: '2.0',
  method: PROGRESS,
  params: { progressToken, progress },
})

/** Whether a progress notification names a token that nobody gave. */
const isOfUnknown = (message: JsonObject) =>
  message['method'] === PROGRESS && paramsOf(message)['progressToken'] === 'patchbay-unknown'

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
    {
      id: 'm.progress.server.active-only',
      side: 'server',
      transports: LINES,
      fault: {
        outgoing: (message, { answers }) => {
          const token = tokenOf(answers)
          return token === undefined ? message : new Messages(message, progressOf(token, 1e9))
        },
      },
    },
    {
      id: 'm.progress.server.rate',
      side: 'server',
      fault: {
        outgoing: (message) => {
          const { progress } = paramsOf(message)
          if (message['method'] !== PROGRESS || typeof progress !== 'number') return message
          const between = [0.2, 0.4, 0.6, 0.8].map((part) => ({
            ...message,
            params: { ...paramsOf(message), progress: progress + part },
          }))
          return new Messages(message, ...between)
        },
      },
    },
    {
      id: 'm.progress.server.own-stream',
      side: 'server',
      fault: {
        streams: {
          event: (event, { others }) => {
            const newest = others.at(-1)
            const isProgress = event.data?.includes(`"${PROGRESS}"`) === true
            if (!isProgress || newest === undefined) return [event]
            newest.write(event)
            return []
          },
        },
      },
      alsoBreaks: { 'progress.server.increasing': 'progress of several calls comes out of order' },
    },
    {
      id: 'm.progress.server.tolerant',
      side: 'server',
      transports: LINES,
      fault: {
        incoming: (message, { crash }) => {
          if (!isOfUnknown(message)) return message
          crash?.()
          return undefined
        },
      },
    },
    {
      id: 'm.progress.client.token-unique',
      side: 'client',
      fault: {
        outgoing: (message) => {
          const { _meta: meta } = paramsOf(message)
          if (!isJsonObject(meta) || meta['progressToken'] === undefined) return message
          return { ...message, params: { ...paramsOf(message), _meta: { ...meta, progressToken: 1 } } }
        },
      },
    },
    {
      id: 'm.progress.client.tolerant',
      side: 'client',
      fault: {
        outgoing: (message, { connection }) => {
          if (message['method'] === 'tools/call') connection.set('newest', message['id'])
          return message
        },
        incoming: (message, { connection }) =>
          isOfUnknown(message)
            ? errorFor({ id: connection.get('newest') }, -32_603, 'The token is unknown')
            : message,
      },
    },
    {
      id: 'm.progress.client.sends',
      side: 'client',
      fault: {
        outgoing: (message, { answers }) => {
          const token = tokenOf(answers)
          if (answers?.['method'] !== 'sampling/createMessage' || token === undefined) return message
          return new Messages(progressOf(token, 1), message, progressOf(token, 1))
        },
      },
    },
  ],
  fixtures: (registry) => {
    registry.addTool({
      name: 'test_asks_with_progress',
      description: 'Asks the model with a progress token, and goes on without it after a while.',
      run: async (_args, ctx) => {
        asked += 1
        const options = { maxTokens: 5, _meta: { progressToken: `asks-${asked}` } }
        const answer = ctx.sample('Hello', options).catch(() => 'no answer')
        return JSON.stringify(await Promise.race([answer, wait(2_000, 'no answer')]))
      },
    })
  },
}
