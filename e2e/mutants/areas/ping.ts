import type { AreaProof } from '../area-proof.ts'

/** The mutants of the area `ping`. */
export const PING_PROOF: AreaProof = {
  mutants: [
    {
      id: 'm.ping.server',
      side: 'server',
      fault: {
        incoming: (message, { connection }) => {
          if (message['method'] === 'tools/call') connection.set('busy', true)
          return message['method'] === 'ping' && connection.get('busy') === true ? undefined : message
        },
      },
    },
    {
      id: 'm.ping.client',
      side: 'client',
      fault: {
        outgoing: (message, { answers }) =>
          answers?.['method'] === 'ping'
            ? { jsonrpc: '2.0', id: message['id'], error: { code: -32_601, message: 'Method not found' } }
            : message,
      },
    },
  ],
}
