import type { ClientTransport } from '../../transports/contract.ts'
import { guardGroup } from './group-guard.ts'

/** A stdio transport whose process does not outlive ours, however ours ends. */
export function guardedTransport(transport: ClientTransport): ClientTransport {
  let callOff = (): Promise<void> => Promise.resolve()
  let isOver = false
  const close = async (): Promise<void> => {
    await transport.close()
    isOver = true
    await callOff()
  }
  return {
    kind: transport.kind,
    start: async (receiver) => {
      await transport.start({
        message: (incoming) => receiver.message(incoming),
        noise: (bytes, reason) => receiver.noise(bytes, reason),
        requestFailed: (id, error) => receiver.requestFailed(id, error),
        closed: (error) => {
          receiver.closed(error)
          // What the server left behind is being ended; the guard stays until that is done.
          void close()
        },
      })
      const { pid } = transport.evidence()
      // Closed while it started: nothing is left to guard, and nobody would call that guard off.
      if (pid !== undefined && !isOver) callOff = guardGroup(pid)
    },
    send: (message, options) => transport.send(message, options),
    sendRaw: (bytes, options) => transport.sendRaw(bytes, options),
    close,
    evidence: () => transport.evidence(),
  }
}
