import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { ChildSupervisor } from './child-supervisor.ts'
import { TOKEN_BYTES } from './message-frame.ts'
import type { ProcessRegistry } from './process-registry.ts'
import { CHANNEL_DESCRIPTOR, CHANNEL_VARIABLE, MAX_MESSAGE_BYTES, ProcessChannel } from './process-channel.ts'
import type { ProcessExit, ProcessRequest, ProcessStarter, StartedProcess } from './process-starter.ts'

/** Milliseconds for which the last messages of a process that has ended are waited for. */
const LAST_MESSAGES_MS = 250
/** Milliseconds that the children of a process have to end, once the process itself has ended. */
const GRACE_MS = 300

/**
 * Starts our processes as children of this one: for plain Node, where that can be done. What such a process starts ends
 * with it, and with this process, however that ends.
 */
export class ForkProcessStarter implements ProcessStarter {
  readonly #registry: ProcessRegistry | undefined

  /** @param registry where the processes are written down, so that the next start ends what was left of them */
  constructor(registry?: ProcessRegistry) {
    this.#registry = registry
  }

  async start(request: ProcessRequest): Promise<StartedProcess> {
    const supervisor = new ChildSupervisor(this.#registry)
    const args = [`--title=${request.name}`, ...(request.execArgv ?? []), request.entry, ...request.args]
    const child = spawn(process.execPath, args, {
      env: { ...request.env, ...supervisor.environment, [CHANNEL_VARIABLE]: String(CHANNEL_DESCRIPTOR) },
      // Reading and writing at once needs it on Windows; elsewhere it is a pipe like any other.
      stdio: ['ignore', 'pipe', 'pipe', 'overlapped'],
      // In our own session: calls between sessions take Linux's scheduler longer.
      windowsHide: true,
    })
    const exit = new Promise<Omit<ProcessExit, 'fault'>>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }))
    })
    try {
      await once(child, 'spawn')
    } catch (error) {
      await supervisor.notStarted()
      throw error
    }
    const { pid } = child
    const stream = child.stdio[CHANNEL_DESCRIPTOR]
    if (pid === undefined || !(stream instanceof Duplex))
      throw new Error(`${request.entry} was started and has no process id or no channel`)
    supervisor.started(child, request.name, false)
    child.on('error', () => undefined)
    let fault: string | undefined
    const channel = new ProcessChannel(stream, {
      token: randomBytes(TOKEN_BYTES),
      maxBytes: MAX_MESSAGE_BYTES,
      onFault: (reason) => {
        fault = reason
        void end()
      },
    })
    let ended: Promise<void> | undefined
    const end = (): Promise<void> => (ended ??= supervisor.kill(child, exit, GRACE_MS))
    const exited = exit.then(async ({ code, signal }): Promise<ProcessExit> => {
      await within(channel.closed, LAST_MESSAGES_MS)
      channel.close()
      void end()
      return { code, signal, ...(fault === undefined ? {} : { fault }) }
    })
    return {
      pid,
      exited,
      gone: exit.then(() => end()),
      post: (message) => channel.post(message),
      onMessage: (listener) => channel.onMessage(listener),
      onOutput: (listener) => {
        child.stdout?.on('data', (bytes: Buffer) => listener('stdout', bytes))
        child.stderr?.on('data', (bytes: Buffer) => listener('stderr', bytes))
      },
      kill: () => void end(),
    }
  }
}

async function within(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([promise, late])
  clearTimeout(timer)
}
