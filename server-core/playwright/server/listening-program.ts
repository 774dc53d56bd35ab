import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { ChildSupervisor } from '../../processes/child-supervisor.ts'
import { GRACE_MS } from '../../processes/end-tree.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { childEnvironment } from '../../transports/stdio/child-environment.ts'
import { TestSetupError } from '../test-error.ts'

export type ListeningCommand = {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string | undefined
}

const LONGEST_OUTPUT = 64 * 1024
const LOOK_MS = 50

/** A program of the test that listens on a port. It ends with the test, however the test ends. */
export class ListeningProgram {
  readonly #child: ChildProcess
  readonly #supervisor: ChildSupervisor
  readonly #exited: Promise<unknown>
  readonly #command: ListeningCommand
  #output = ''

  private constructor(command: ListeningCommand) {
    this.#command = command
    this.#supervisor = new ChildSupervisor()
    const env = childEnvironment({ ...command.env, ...this.#supervisor.environment })
    this.#child = spawn(command.command, command.args, {
      env,
      ...(command.cwd !== undefined && { cwd: command.cwd }),
      // A pipe that stays open: some servers end when their standard input does.
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    })
    this.#supervisor.started(this.#child, command.command)
    this.#exited = new Promise((resolve) => this.#child.once('close', resolve))
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (bytes: Buffer) => {
        this.#output = (this.#output + bytes.toString()).slice(-LONGEST_OUTPUT)
      })
  }

  /** Starts it. Rejects with a `TestSetupError` if it does not start. */
  static async start(command: ListeningCommand): Promise<ListeningProgram> {
    const program = new ListeningProgram(command)
    try {
      await once(program.#child, 'spawn')
      return program
    } catch (error) {
      await program.#supervisor.notStarted()
      throw new TestSetupError('server', `${command.command} could not be started: ${messageOf(error)}`, {
        cause: error,
      })
    }
  }

  get pid(): number | undefined {
    return this.#child.exitCode === null && this.#child.signalCode === null ? this.#child.pid : undefined
  }

  /** What it wrote on stdout and stderr. */
  get output(): string {
    return this.#output
  }

  /** Waits until the port of a URL takes connections. Rejects with a `TestSetupError` that shows the output. */
  async listens(url: string, timeoutMs: number): Promise<void> {
    const { hostname, port, protocol } = new URL(url)
    const number = port === '' ? (/^(https|wss):$/.test(protocol) ? 443 : 80) : Number(port)
    await this.#until(
      async () => ((await takesConnections(hostname.replaceAll(/[[\]]/g, ''), number)) ? true : undefined),
      `listen at ${url}`,
      timeoutMs,
    )
  }

  /** Waits until its output matches. Rejects as `listens` does. */
  async prints(pattern: RegExp, timeoutMs: number): Promise<RegExpExecArray> {
    return this.#until(
      () => Promise.resolve(pattern.exec(this.#output) ?? undefined),
      `print ${String(pattern)}`,
      timeoutMs,
    )
  }

  async end(): Promise<void> {
    await this.#supervisor.end(this.#child, this.#exited, GRACE_MS)
  }

  async kill(): Promise<void> {
    await this.#supervisor.kill(this.#child, this.#exited, GRACE_MS)
  }

  /** Looks again and again: what the program does inside is seen by looking alone. */
  async #until<T>(look: () => Promise<T | undefined>, what: string, timeoutMs: number): Promise<T> {
    const deadline = performance.now() + timeoutMs
    const isOver = this.#exited.then(() => 'ended' as const)
    for (;;) {
      const found = await look()
      if (found !== undefined) return found
      const next = await Promise.race([isOver, wait(LOOK_MS, 'look' as const)])
      if (next === 'look' && performance.now() < deadline) continue
      const why =
        next === 'ended'
          ? `ended with ${String(this.#child.exitCode ?? this.#child.signalCode)}`
          : `did not ${what} within ${timeoutMs} ms`
      const output = this.#output.trim() === '' ? '' : `\n${this.#output.trim()}`
      const message = `${[this.#command.command, ...this.#command.args].join(' ')} ${why}${output}`
      throw new TestSetupError('server', message)
    }
  }
}

async function takesConnections(host: string, port: number): Promise<boolean> {
  const socket = createConnection({ host, port })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    // Nobody listens yet.
    return false
  } finally {
    socket.destroy()
  }
}
