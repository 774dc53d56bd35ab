import type { ClientTransport } from '../../transports/contract.ts'
import { guardGroup } from './group-guard.ts'

/** A stdio transport whose process does not outlive ours, however ours ends. */
export function guardedTransport(transport: ClientTransport): ClientTransport {
  let callOff = (): void => undefined
  const close = async (): Promise<void> => {
    await transport.close()
    callOff()
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
      if (pid !== undefined) callOff = onceOnly(guardGroup(pid))
    },
    send: (message, options) => transport.send(message, options),
    close,
    evidence: () => transport.evidence(),
  }
}

function onceOnly(work: () => void): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    work()
  }
}
