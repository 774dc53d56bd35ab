import type { ProcessRequest, ProcessStarter, StartedProcess } from '../process-starter.ts'
import type { HostToShell, ShellToHost } from '../shell-messages.ts'

type FromShell = Extract<
  ShellToHost,
  { type: 'process-started' | 'process-failed' | 'process-message' | 'process-output' | 'process-exited' }
>

type Relayed = {
  readonly started: PromiseWithResolvers<number>
  readonly exited: PromiseWithResolvers<{ code: number | null; signal: string | null }>
  readonly messages: ((message: unknown) => void)[]
  readonly outputs: ((stream: 'stdout' | 'stderr', bytes: Uint8Array) => void)[]
}

/** Starts our processes through the shell's main process, because a utility process can start none. */
export class RelayedProcessStarter implements ProcessStarter {
  readonly #post: (message: HostToShell) => void
  readonly #processes = new Map<number, Relayed>()
  #nextId = 1

  constructor(post: (message: HostToShell) => void) {
    this.#post = post
  }

  async start(request: ProcessRequest): Promise<StartedProcess> {
    const processId = this.#nextId++
    const relayed: Relayed = {
      started: Promise.withResolvers(),
      exited: Promise.withResolvers(),
      messages: [],
      outputs: [],
    }
    this.#processes.set(processId, relayed)
    this.#post({ type: 'process-start', processId, request })
    const pid = await relayed.started.promise
    return {
      pid,
      exited: relayed.exited.promise,
      post: (message) => this.#post({ type: 'process-post', processId, message }),
      onMessage: (listener) => void relayed.messages.push(listener),
      onOutput: (listener) => void relayed.outputs.push(listener),
      kill: () => this.#post({ type: 'process-kill', processId }),
    }
  }

  /** Takes in what the shell says about one of them. */
  hear(message: FromShell): void {
    const relayed = this.#processes.get(message.processId)
    if (relayed === undefined) return
    switch (message.type) {
      case 'process-started':
        relayed.started.resolve(message.pid)
        return
      case 'process-failed':
        this.#processes.delete(message.processId)
        relayed.started.reject(new Error(`The shell could not start a process: ${message.message}`))
        return
      case 'process-message':
        for (const listener of relayed.messages) listener(message.message)
        return
      case 'process-output':
        for (const listener of relayed.outputs) listener(message.stream, message.bytes)
        return
      case 'process-exited':
        this.#processes.delete(message.processId)
        relayed.exited.resolve({ code: message.code, signal: null })
    }
  }
}
