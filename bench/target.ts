import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Account, Question } from './targets/account.ts'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** A program under test: one of `targets/`, or the built server with its arguments. */
export type Program =
  { readonly target: string; readonly tools?: number } | { readonly built: readonly string[] }

/** A program under test, in a process of its own. */
export class Target {
  readonly port: number
  readonly process: ChildProcess

  private constructor(child: ChildProcess, port: number) {
    this.process = child
    this.port = port
  }

  /** Starts a program and waits until it is ready. */
  static async start(program: Program): Promise<Target> {
    const stdio = ['pipe', 'pipe', 'inherit', 'ipc'] as const
    if ('target' in program) {
      const env = { ...process.env, BENCH_TOOLS: String(program.tools ?? 0) }
      const child = fork(at(`targets/${program.target}.ts`), {
        stdio: [...stdio],
        env,
        execArgv: ['--expose-gc'],
      })
      const [ready] = (await once(child, 'message')) as [{ readonly port?: number }]
      return new Target(child, ready.port ?? 0)
    }
    const port = await freePort()
    const child = fork(at('../dist/bench/server.js'), [...program.built, '--port', String(port)], {
      stdio: [...stdio],
      execArgv: ['--expose-gc', '--import', new URL('targets/observed.ts', import.meta.url).href],
    })
    await once(child, 'message')
    if (!program.built.includes('stdio')) await listening(port)
    return new Target(child, port)
  }

  /** Microseconds of CPU time so far, of all its threads. */
  async cpuMicros(): Promise<number> {
    const { micros } = await this.#ask('cpu')
    return micros
  }

  /** What it takes once all rubbish is collected. */
  async memory(): Promise<Account> {
    // What the first collection finishes, the second finds.
    await this.#ask('memory')
    return this.#ask('memory')
  }

  async #ask(question: Question): Promise<Account> {
    this.process.send(question)
    const [account] = (await once(this.process, 'message')) as [Account]
    return account
  }

  async stop(): Promise<void> {
    const exited = once(this.process, 'exit')
    this.process.kill('SIGKILL')
    await exited
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Waits until something listens there. */
async function listening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.on('connect', () => {
        resolve(true)
      })
      socket.on('error', () => {
        resolve(false)
      })
    })
    socket.destroy()
    if (isOpen) return
    await pause(20)
  }
}
