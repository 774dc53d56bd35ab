import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A program under test, in a process of its own. */
export class Target {
  readonly port: number
  readonly process: ChildProcess

  private constructor(child: ChildProcess, port: number) {
    this.process = child
    this.port = port
  }

  /** Starts `targets/NAME.ts` and waits until it is ready. */
  static async start(name: string): Promise<Target> {
    const child = fork(fileURLToPath(new URL(`targets/${name}.ts`, import.meta.url)), {
      stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
    })
    const [ready] = (await once(child, 'message')) as [{ readonly port?: number }]
    return new Target(child, ready.port ?? 0)
  }

  /** Microseconds of CPU time so far, of all its threads. */
  async cpuMicros(): Promise<number> {
    this.process.send('cpu')
    const [answer] = (await once(this.process, 'message')) as [{ readonly micros: number }]
    return answer.micros
  }

  async stop(): Promise<void> {
    const exited = once(this.process, 'exit')
    this.process.kill()
    await exited
  }
}
