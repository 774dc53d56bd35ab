import { isJsonObject } from '../../../server-core/protocol/json.ts'
import { MetaKey } from '../../../server-core/protocol/meta-keys.ts'
import type { AreaProof } from '../area-proof.ts'
import { changeSent, paramsOf } from './changes-message.ts'

/** The mutants of the area `logging26`. */
export const LOGGING26_PROOF: AreaProof = {
  mutants: [
    {
      id: 'm.logging26.server.gate',
      side: 'server',
      fault: {
        incoming: changeSent('tools/call', (message) => {
          const params = paramsOf(message)
          const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
          return { ...message, params: { ...params, _meta: { [MetaKey.logLevel]: 'info', ...meta } } }
        }),
      },
      alsoBreaks: { 'logging26.server.threshold': 'its second call names no level either' },
    },
    {
      id: 'm.logging26.server.threshold',
      side: 'server',
      fault: {
        incoming: changeSent('subscriptions/listen', (message, { connection }) => {
          connection.set('listen', message['id'])
          return message
        }),
        outgoing: changeSent('notifications/message', (message, { connection }) => {
          const listen = connection.get('listen')
          const params = paramsOf(message)
          const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
          return listen === undefined
            ? message
            : { ...message, params: { ...params, _meta: { ...meta, [MetaKey.subscriptionId]: listen } } }
        }),
      },
    },
    {
      id: 'm.logging26.server.bad-level',
      side: 'server',
      fault: {
        incoming: (message) => {
          const params = paramsOf(message)
          const { _meta: meta } = params
          if (!isJsonObject(meta) || meta[MetaKey.logLevel] !== 'verbose') return message
          const { [MetaKey.logLevel]: _, ...rest } = meta
          return { ...message, params: { ...params, _meta: rest } }
        },
      },
    },
  ],
}
