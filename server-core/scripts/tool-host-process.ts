import type { ProcessStarter, StartedProcess } from '../host/process-starter.ts'
import type { MessageEnd } from '../registry/port/end.ts'
import { portRegistry, type PortRegistry } from '../registry/port/port-registry.ts'
import { cleanEnvironment } from './clean-environment.ts'

/** A handler that leaks ends its own process long before it troubles the machine. */
const HEAP_LIMIT = '--max-old-space-size=512'

export type ToolHostOptions = {
  readonly starter: ProcessStarter
  /** Absolute path of the built `tool-host.js`. */
  readonly entry: string
  /** What handlers print. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void
  /** Told each time the process ends, with the reason as a clause ("exited with code 3"). */
  readonly onGone?: (reason: string) => void
  /** Milliseconds between a handler's time limit and the end of the process that it blocks; 250 if not given. */
  readonly graceMs?: number
}

/** The registry that a tool host serves. */
export type ToolHost = PortRegistry & {
  /** The process that runs just now; undefined between an end and the next call. */
  pid(): number | undefined
}

/**
 * Starts a tool host and gives its registry once it has said what it serves. The process is started again by the
 * first call after it ended. Rejects with an error that says why if it cannot be started.
 */
export async function startToolHost(options: ToolHostOptions): Promise<ToolHost> {
  const { starter, entry, onOutput, onGone, graceMs } = options
  let running: StartedProcess | undefined
  const registry = await portRegistry({
    open: async () => {
      const started = await starter.start({
        entry,
        args: [],
        execArgv: [HEAP_LIMIT],
        env: cleanEnvironment(),
        name: 'patchbay tool host',
      })
      running = started
      // Read even if nobody listens: a pipe that is full would block the handlers.
      started.onOutput((stream, bytes) => onOutput?.(stream, bytes))
      return processEnd(started, () => {
        if (running === started) running = undefined
      })
    },
    ...(onGone === undefined ? {} : { onGone }),
    ...(graceMs === undefined ? {} : { graceMs }),
  })
  return Object.assign(registry, { pid: () => running?.pid })
}

function processEnd(started: StartedProcess, gone: () => void): MessageEnd {
  return {
    post: (message) => {
      started.post(message)
    },
    onMessage: (listener) => {
      started.onMessage(listener)
    },
    closed: started.exited.then(({ code, signal }) => {
      gone()
      if (signal !== null) return `was killed by ${signal}`
      return code === null ? 'ended' : `exited with code ${code}`
    }),
    close: () => {
      started.kill()
    },
  }
}
