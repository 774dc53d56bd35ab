import type { AreaProof } from '../area-proof.ts'
import { eventMessage } from './http-servers.ts'

/** The mutants of the area `sse-format`. */
export const SSE_FORMAT_PROOF: AreaProof = {
  mutants: [
    {
      id: 'm.sse-format.server',
      side: 'server',
      fault: {
        streams: {
          // The whole event follows, so that nothing else is lost.
          event: (event) => {
            const { data } = event
            if (data === undefined || eventMessage(event)['method'] !== 'notifications/progress')
              return [event]
            const middle = Math.floor(data.length / 2)
            const halves = [data.subarray(0, middle), data.subarray(middle)]
            return [...halves.map((half) => ({ name: 'message', data: half })), event]
          },
        },
      },
    },
    {
      id: 'm.sse-format.client',
      side: 'client',
      fault: {
        streams: {
          bytes: (bytes) => {
            const text = bytes.toString('latin1')
            return text.includes('\r') && !text.includes('\n\n') ? Buffer.alloc(0) : bytes
          },
        },
      },
    },
  ],
}
