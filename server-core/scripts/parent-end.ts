import type { MessageEnd } from '../registry/port/end.ts'

/** What Electron gives a utility process to talk to its parent. */
type UtilityPort = {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void
}

/** The way to the process that started this one, or undefined if it was started in no way that has one. */
export function parentEnd(): MessageEnd | undefined {
  const port = utilityPort()
  if (port !== undefined) return utilityEnd(port)
  return process.connected ? childEnd() : undefined
}

/** True in Electron's utility process, which Chromium ends together with its parent. */
export function isUtilityProcess(): boolean {
  return utilityPort() !== undefined
}

function utilityPort(): UtilityPort | undefined {
  return 'parentPort' in process ? (process.parentPort as UtilityPort | undefined) : undefined
}

function utilityEnd(port: UtilityPort): MessageEnd {
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

function childEnd(): MessageEnd {
  return {
    post: (message) => {
      if (process.connected) process.send?.(message)
    },
    onMessage: (listener) => {
      process.on('message', listener)
    },
    closed: new Promise((resolve) => {
      process.once('disconnect', () => {
        resolve('is gone')
      })
    }),
    close: () => {
      process.exit(0)
    },
  }
}
