import { ChildSupervisor } from '../../processes/child-supervisor.ts'
import type { ProcessRegistry } from '../../processes/process-registry.ts'
import type {
  ProcessExit,
  ProcessRequest,
  ProcessStarter,
  StartedProcess,
} from '../../processes/process-starter.ts'
import type { HostToShell, ShellToHost } from '../shell-messages.ts'

type FromShell = Extract<
  ShellToHost,
  { type: 'process-started' | 'process-failed' | 'process-message' | 'process-output' | 'process-exited' }
>

type Relayed = {
  readonly started: PromiseWithResolvers<number>
  readonly exited: PromiseWithResolvers<ProcessExit>
  readonly messages: ((message: unknown) => void)[]
  readonly outputs: ((stream: 'stdout' | 'stderr', bytes: Uint8Array) => void)[]
}

/** Milliseconds that the children of an ended process have to end. */
const GRACE_MS = 300

/**
 * Starts our processes through the shell's main process, because a utility process can start none. What such a process
 * starts ends with it, and with this process, however that ends.
 */
export class RelayedProcessStarter implements ProcessStarter {
  readonly #post: (message: HostToShell) => void
  readonly #processes = new Map<number, Relayed>()
  #nextId = 1

  #store: ProcessRegistry | undefined

  constructor(post: (message: HostToShell) => void) {
    this.#post = post
  }

  /** Writes down from now on what it starts, so that the next start ends what was left of that. Returns itself. */
  keepingRegistry(store: ProcessRegistry): this {
    this.#store = store
    return this
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
    const supervisor = new ChildSupervisor(this.#store)
    const env = { ...request.env, ...supervisor.environment }
    this.#post({ type: 'process-start', processId, request: { ...request, env } })
    let pid: number
    try {
      pid = await relayed.started.promise
    } catch (error) {
      await supervisor.notStarted()
      throw error
    }
    supervisor.started({ pid }, request.name, false)
    const kill = (): boolean => {
      this.#post({ type: 'process-kill', processId })
      return true
    }
    const exited = relayed.exited.promise
    let ended: Promise<void> | undefined
    const end = (): Promise<void> => (ended ??= supervisor.kill({ pid, kill }, exited, GRACE_MS))
    return {
      pid,
      exited,
      gone: exited.then(end),
      post: (message) => this.#post({ type: 'process-post', processId, message }),
      onMessage: (listener) => void relayed.messages.push(listener),
      onOutput: (listener) => void relayed.outputs.push(listener),
      kill: () => void end(),
    }
  }

  /** Handles what the shell reports about one of them. */
  receive(message: FromShell): void {
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
