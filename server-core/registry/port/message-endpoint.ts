import type { MessagePort } from 'node:worker_threads'

/** One end of a message channel: a `MessagePort`, a child process, or a child's way to its parent. */
export interface MessageEndpoint {
  /** Sends a cloneable value. Throws if it cannot be cloned; does nothing once the channel is closed. */
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** Resolves when the other side has ended, with the reason as a clause ("exited with code 1"). */
  readonly closed: Promise<string>
  /** Ends the channel; at a process this kills it. `reason` is what the other side did wrong, as a clause, if it did. */
  close(reason?: string): void
}

/** An end over a `MessagePort` of `node:worker_threads`. */
export function messagePortEndpoint(port: MessagePort): MessageEndpoint {
  const closed = new Promise<string>((resolve) => {
    port.once('close', () => {
      resolve('closed its port')
    })
  })
  return {
    post: (message) => {
      port.postMessage(message)
    },
    onMessage: (listener) => {
      port.on('message', listener)
    },
    closed,
    close: () => {
      port.close()
    },
  }
}
