import { utilityProcess, type UtilityProcess } from 'electron'
import type { HostToShell, ShellToHost } from '../server-core/host/shell-messages.ts'

type ProcessOrder = Extract<HostToShell, { type: 'process-start' | 'process-post' | 'process-kill' }>

/**
 * Forks for the host, which cannot fork from its own utility process, and passes on what both sides say. Entries
 * outside the built files are refused: an order is data, and data starts nothing of its own choice.
 */
export class ProcessRelay {
  readonly #children = new Map<number, UtilityProcess>()
  readonly #send: (message: ShellToHost) => void
  readonly #isOurs: (entry: string) => boolean

  constructor(send: (message: ShellToHost) => void, isOurs: (entry: string) => boolean) {
    this.#send = send
    this.#isOurs = isOurs
  }

  handle(order: ProcessOrder): void {
    if (order.type === 'process-start') this.#start(order)
    else if (order.type === 'process-post') this.#children.get(order.processId)?.postMessage(order.message)
    else killNow(this.#children.get(order.processId))
  }

  /** Ends all of them at once. */
  killAll(): void {
    for (const child of this.#children.values()) killNow(child)
  }

  #start({ processId, request }: Extract<ProcessOrder, { type: 'process-start' }>): void {
    if (!this.#isOurs(request.entry)) {
      const message = `expected a module of the built files, got ${request.entry}`
      this.#send({ type: 'process-failed', processId, message })
      return
    }
    const child = utilityProcess.fork(request.entry, [...request.args], {
      serviceName: request.name,
      env: { ...request.env },
      execArgv: [...(request.execArgv ?? [])],
      stdio: 'pipe',
    })
    this.#children.set(processId, child)
    child.once('spawn', () => {
      const { pid } = child
      if (pid !== undefined) this.#send({ type: 'process-started', processId, pid })
    })
    child.on('message', (message: unknown) => this.#send({ type: 'process-message', processId, message }))
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream]?.on('data', (chunk: Uint8Array) => {
        this.#send({ type: 'process-output', processId, stream, bytes: new Uint8Array(chunk) })
      })
    }
    child.once('exit', (code) => {
      this.#children.delete(processId)
      this.#send({ type: 'process-exited', processId, code })
    })
  }
}

/** `UtilityProcess.kill` asks politely; a handler that never yields would not hear it. */
function killNow(child: UtilityProcess | undefined): void {
  if (child?.pid === undefined) return
  try {
    process.kill(child.pid, 'SIGKILL')
  } catch {
    // It had ended already, as intended.
  }
}
