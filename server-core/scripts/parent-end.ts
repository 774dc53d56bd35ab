import { Socket } from 'node:net'
import { CHANNEL_VARIABLE, MAX_MESSAGE_BYTES, ProcessChannel } from '../processes/process-channel.ts'
import type { MessageEndpoint } from '../registry/port/message-endpoint.ts'

/** What Electron gives a utility process to talk to its parent. */
type UtilityPort = {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void
}

/** The channel to the process that started this one; undefined without such a channel. To be called once. */
export function parentEnd(): MessageEndpoint | undefined {
  const port = utilityPort()
  if (port !== undefined) return utilityEnd(port)
  const descriptor = Number(process.env[CHANNEL_VARIABLE])
  // Nothing that is started from here has a use for it.
  Reflect.deleteProperty(process.env, CHANNEL_VARIABLE)
  return Number.isSafeInteger(descriptor) ? childEnd(descriptor) : undefined
}

/** True in Electron's utility process, which Chromium ends together with its parent. */
export function isUtilityProcess(): boolean {
  return utilityPort() !== undefined
}

function utilityPort(): UtilityPort | undefined {
  const port: unknown = Reflect.get(process, 'parentPort')
  return port as UtilityPort | undefined
}

function utilityEnd(port: UtilityPort): MessageEndpoint {
  return {
    post: (message) => {
      port.postMessage(message)
    },
    onMessage: (listener) => {
      port.on('message', ({ data }) => {
        listener(data)
      })
    },
    closed: new Promise(() => undefined),
    close: () => {
      process.exit(0)
    },
  }
}

function childEnd(descriptor: number): MessageEndpoint {
  const channel = new ProcessChannel(new Socket({ fd: descriptor, readable: true, writable: true }), {
    onFault: (reason) => {
      process.stderr.write(`The channel to Patchbay broke: it ${reason}.\n`)
      process.exit(1)
    },
  })
  return {
    post: (message) => {
      channel.post(message, MAX_MESSAGE_BYTES)
    },
    onMessage: (listener) => {
      channel.onMessage(listener)
    },
    closed: channel.closed.then(() => 'has ended'),
    close: () => {
      process.exit(0)
    },
  }
}
