import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { MetaKey } from '../../../server-core/protocol/meta-keys.ts'
import type { AreaProof } from '../area-proof.ts'
import { Messages, type ChangeMessage } from '../mutant.ts'
import { changeAnswer, changeSent, errorFor, paramsOf } from './changes-message.ts'
import { replaceSteps } from '../replace-steps.ts'

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'
const LISTEN = 'subscriptions/listen'
const ALL = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }

function tagOf(message: JsonObject): unknown {
  const { _meta: meta } = paramsOf(message)
  return isJsonObject(meta) ? meta[MetaKey.subscriptionId] : undefined
}

/** Turns numeric subscription ids into text. */
const textTags: ChangeMessage = (message) => {
  const tag = tagOf(message)
  if (typeof tag !== 'number') return message
  const params = paramsOf(message)
  const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
  return { ...message, params: { ...params, _meta: { ...meta, [MetaKey.subscriptionId]: String(tag) } } }
}

/** The mutants of the area `subscriptions`. */
export const SUBSCRIPTIONS_PROOF: AreaProof = {
  mutants: [
    { id: 'm.subscriptions.server.ack', side: 'server', fault: { outgoing: textTags } },
    {
      id: 'm.subscriptions.server.only-requested',
      side: 'server',
      fault: {
        incoming: changeSent(LISTEN, (message, { connection }) => {
          const params = paramsOf(message)
          const asked = isJsonObject(params['notifications']) ? params['notifications'] : {}
          if (Object.keys(asked).length === 0) return message
          connection.set(`asked ${String(message['id'])}`, asked)
          return { ...message, params: { ...params, notifications: { ...asked, ...ALL } } }
        }),
        outgoing: changeSent(ACKNOWLEDGED, (message, { connection }) => {
          const asked = connection.get(`asked ${String(tagOf(message))}`)
          return asked === undefined
            ? message
            : { ...message, params: { ...paramsOf(message), notifications: asked } }
        }),
      },
    },
    {
      id: 'm.subscriptions.server.tags',
      side: 'server',
      fault: {
        outgoing: changeAnswer(LISTEN, (message) => {
          const { result } = message
          if (!isJsonObject(result) || !isJsonObject(result['_meta'])) return message
          const { [MetaKey.subscriptionId]: _, ...meta } = result['_meta']
          return { ...message, result: { ...result, _meta: meta } }
        }),
      },
    },
    {
      id: 'm.subscriptions.server.unsolicited',
      side: 'server',
      transports: ['stdio', 'websocket'],
      fault: {
        outgoing: changeAnswer('tools/call', (message, { params }) =>
          params['name'] === 'test_change_lists'
            ? new Messages(message, { jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
            : message,
        ),
      },
      alsoBreaks: {
        'subscriptions.server.tags': 'a notice that belongs to no listen has no subscription id',
      },
    },
    {
      id: 'm.subscriptions.server.concurrent',
      side: 'server',
      transports: ['stdio', 'websocket'],
      fault: {
        incoming: changeSent(LISTEN, (message, { connection }) => {
          const before = connection.get('listen')
          connection.set('listen', message['id'])
          if (before === undefined) return message
          const params = { requestId: before }
          return new Messages({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, message)
        }),
      },
    },
    {
      id: 'm.subscriptions.server.scoped-notices',
      side: 'server',
      fault: {
        incoming: changeSent(LISTEN, (message, { connection }) => {
          connection.set('listen', message['id'])
          return message
        }),
        outgoing: changeSent('notifications/progress', (message, { connection }) => {
          const listen = connection.get('listen')
          if (listen === undefined) return message
          const meta = { [MetaKey.subscriptionId]: listen }
          return new Messages(message, { ...message, params: { ...paramsOf(message), _meta: meta } })
        }),
      },
      alsoBreaks: { 'progress.server.increasing': 'the copies do not rise' },
    },
    {
      id: 'm.subscriptions.server.reopen',
      side: 'server',
      transports: ['stdio'],
      fault: {
        incoming: changeSent(LISTEN, (message, { connection, reply }) => {
          const count = Number(connection.get('listens') ?? 0) + 1
          connection.set('listens', count)
          if (count <= 32) return message
          reply(errorFor(message, -32603, 'Too many listens'))
          return undefined
        }),
      },
    },
    {
      id: 'm.subscriptions.server.json-only',
      side: 'server',
      fault: {
        http: (request, next) => {
          if (request.headers['mcp-method'] !== LISTEN) return next(request)
          const { id } = JSON.parse(request.body.toString()) as { id?: unknown }
          const result = { resultType: 'complete', _meta: { [MetaKey.subscriptionId]: id } }
          return {
            status: 200,
            headers: { 'content-type': 'application/json' },
            body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result })),
          }
        },
      },
    },
    {
      id: 'm.subscriptions.client.ack',
      side: 'client',
      fault: {
        driver: (client) => {
          return replaceSteps(client, async (asked, step) => {
            if (asked.type !== 'listen') return step(asked)
            const read = step(asked)
            await Promise.race([read, new Promise((resolve) => setTimeout(resolve, 300))])
            return { type: 'done', value: { accepted: asked.filter } }
          })
        },
      },
    },
    {
      id: 'm.subscriptions.client.end',
      side: 'client',
      fault: {
        driver: (client) => {
          return replaceSteps(client, async (asked, step) => {
            if (asked.type !== 'subscribe') return step(asked)
            const filter = { resourceSubscriptions: [asked.uri] }
            for (let count = 0; count < 20; count += 1) await step({ type: 'listen', filter })
            return { type: 'done' }
          })
        },
      },
    },
  ],
}
