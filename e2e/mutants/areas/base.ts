import { isJsonObject } from '../../../server-core/protocol/json.ts'
import type { AreaProof } from '../area-proof.ts'
import type { ChangeMessage } from '../mutant.ts'

const isResponse = (message: object) => !('method' in message)

const oldVersion: ChangeMessage = (message) => ('error' in message ? { ...message, jsonrpc: '1.0' } : message)

const bothMembers: ChangeMessage = (message) => ('error' in message ? { ...message, result: {} } : message)

const textCode: ChangeMessage = (message) =>
  isJsonObject(message['error'])
    ? { ...message, error: { ...message['error'], code: String(message['error']['code']) } }
    : message

/** The mutants of the area `base`. */
export const BASE_PROOF: AreaProof = {
  mutants: [
    { id: 'm.base.wire.jsonrpc/server', side: 'server', fault: { outgoing: oldVersion } },
    {
      id: 'm.base.wire.jsonrpc/client',
      side: 'client',
      fault: { outgoing: (message) => ({ ...message, jsonrpc: '1.0' }) },
    },
    { id: 'm.base.wire.response-xor/server', side: 'server', fault: { outgoing: bothMembers } },
    { id: 'm.base.error.object-shape/server', side: 'server', fault: { outgoing: textCode } },
    {
      id: 'm.base.id.echo-types',
      side: 'server',
      fault: {
        outgoing: (message) =>
          isResponse(message) && typeof message['id'] === 'number'
            ? { ...message, id: String(message['id']) }
            : message,
      },
    },
    {
      id: 'm.base.id.echo-client',
      side: 'client',
      fault: {
        outgoing: (message) =>
          isResponse(message) && typeof message['id'] === 'string' ? { ...message, id: 1 } : message,
      },
    },
  ],
}
