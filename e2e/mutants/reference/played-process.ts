import { PassThrough } from 'node:stream'
import type { ProcessExit, ProcessHandle } from '../../../server-core/conformance/probe/process-handle.ts'

/** A process that is played inside this one: three streams and an end. */
export class PlayedProcess implements ProcessHandle {
  readonly pid = undefined
  readonly stdin = new PassThrough()
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  readonly exited: Promise<ProcessExit>
  /** What a signal does; ends the process unless a fault changes it. */
  onSignal: (signal: NodeJS.Signals) => void = (signal) => {
    this.exit(null, signal)
  }
  /** Whether the end of the input ends the process. */
  endsWithInput = true
  readonly #exit = Promise.withResolvers<ProcessExit>()

  constructor() {
    this.exited = this.#exit.promise
  }

  kill(signal: NodeJS.Signals): void {
    this.onSignal(signal)
  }

  /** Ends the process. */
  exit(code: number | null, signal: string | null = null): void {
    this.#exit.resolve({ code, signal })
    this.stdout.end()
    this.stderr.end()
  }

  descendants(): Promise<number | undefined> {
    return Promise.resolve(0)
  }

  async dispose(): Promise<void> {
    this.stdin.end()
    const late = new Promise((resolve) => setTimeout(resolve, 200))
    await Promise.race([this.exited, late])
    this.exit(null, 'SIGKILL')
  }
}
