import type { AreaProof } from '../area-proof.ts'
import { replaceSteps } from '../replace-steps.ts'

/** So many pings pile up, one each so many milliseconds. */
const PINGS = 60
const PING_EVERY_MS = 50

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
    {
      id: 'm.ping.silence',
      side: 'client',
      fault: {
        driver: (client) =>
          replaceSteps(client, async (asked, step) => {
            if (asked.type !== 'idle') return step(asked)
            const pinged = step({ type: 'ping' })
            const idle = step(asked)
            const first = await Promise.race([pinged, idle])
            return first.type === 'failed' ? first : { type: 'failed', message: 'unhandled: no pong came' }
          }),
      },
    },
    {
      id: 'm.ping.server.unanswered',
      side: 'server',
      transports: ['stdio', 'websocket'],
      fault: {
        incoming: (message, { reply }) => {
          if (message['method'] !== 'notifications/initialized') return message
          let count = 0
          const timer = setInterval(() => {
            reply({ jsonrpc: '2.0', id: `ping-${count}`, method: 'ping' })
            count += 1
            if (count >= PINGS) clearInterval(timer)
          }, PING_EVERY_MS)
          timer.unref()
          return message
        },
      },
    },
  ],
}
