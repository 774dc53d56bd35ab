import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { commandLineOf, descendantsOf, killSurvivors, signalAll } from '../process-tree.ts'
import { repository, type RunningApp } from './start-app.ts'

/** What the process that runs hosts is asked for; it runs one at a time. */
export type RunnerRequest =
  { readonly type: 'start'; readonly profile: string; readonly port: number } | { readonly type: 'stop' }

export type RunnerReply =
  | { readonly type: 'ready' }
  /** The host that ran is closed. */
  | { readonly type: 'stopped' }
  | { readonly type: 'failed'; readonly message: string }

/** Milliseconds a start may take, a build included. */
const START_MS = 60_000
/** Milliseconds a host may take to close. */
const STOP_MS = 12_000

const ADDRESS = /Patchbay is at (\S+)/
/** The bundler of scripts, which belongs to the process and not to a host: it ends a minute after its last use. */
const BUNDLER = /esbuild\S* --service=/

/** A process in which the hosts of a worker's tests run, one after another. It starts with the first of them. */
export class HostProcess {
  readonly #title: string
  #runner: Runner | undefined
  /** All hosts get the same port, so that a browser finds what it compiled for the page of the last one. */
  #port = 0

  /** @param title what lists of processes call it */
  constructor(title: string) {
    this.#title = title
  }

  /** Starts a host on a profile. The last one must have been stopped. */
  async start(profile: string): Promise<RunningHost> {
    if (this.#runner?.hasEnded !== false) this.#runner = await Runner.start(this.#title)
    const runner = this.#runner
    const address = await runner.startHost(profile, this.#port)
    this.#port = Number(new URL(address).port)
    return {
      pid: runner.pid,
      address: () => Promise.resolve(address),
      processes: () => [runner.pid, ...descendantsOf(runner.pid)],
      stop: () => runner.stopHost(),
    }
  }

  async close(): Promise<void> {
    await this.#runner?.kill()
  }
}

export type RunningHost = RunningApp & {
  /** Closes the host. Throws if it failed meanwhile, or if a process that it started is left; nothing is left then. */
  stop(): Promise<void>
}

class Runner {
  readonly #child: ChildProcess
  /** What it printed since the last host was started. */
  #output = ''
  /** Its last message. */
  #reply: RunnerReply | undefined

  private constructor(child: ChildProcess) {
    this.#child = child
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (bytes: Buffer) => {
        this.#output += bytes.toString()
        child.emit('changed')
      })
    }
    child.on('message', (reply) => {
      this.#reply = reply as RunnerReply
      child.emit('changed')
    })
    child.on('exit', () => child.emit('changed'))
  }

  static async start(title: string): Promise<Runner> {
    const child = fork(path.join(import.meta.dirname, 'host-runner.ts'), {
      cwd: repository,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: [`--title=${title}`],
      // The test runner's wishes about colours are not the app's: Node would warn that they contradict.
      // No browser of this machine is opened.
      env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, BROWSER: 'true' },
    })
    const runner = new Runner(child)
    await runner.#until('it is ready', START_MS, () => runner.#reply?.type === 'ready')
    return runner
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('the process that runs hosts could not be started')
    return this.#child.pid
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  async startHost(profile: string, port: number): Promise<string> {
    this.#output = ''
    this.#request({ type: 'start', profile, port })
    await this.#until('the host is there', START_MS, () => ADDRESS.test(this.#output))
    return ADDRESS.exec(this.#output)?.[1] ?? ''
  }

  async stopHost(): Promise<void> {
    if (this.#reply !== undefined || this.hasEnded) throw this.#error('the host ended by itself')
    const started = descendantsOf(this.pid).filter((pid) => !BUNDLER.test(commandLineOf(pid)))
    this.#request({ type: 'stop' })
    try {
      await this.#until('the host is closed', STOP_MS, () => this.#reply?.type === 'stopped')
    } catch (error) {
      await this.kill()
      throw error
    }
    const commands = new Map(started.map((pid) => [pid, commandLineOf(pid)]))
    const left = await killSurvivors(started)
    if (left.length > 0) {
      const named = left.map((pid) => `${pid} ${commands.get(pid) ?? ''}`)
      throw new Error(`processes were left after the host was closed:\n${named.join('\n')}`)
    }
    if (/Warning:/.test(this.#output)) throw this.#error('Node warned of something')
  }

  /** Ends the process and all that it started. */
  async kill(): Promise<void> {
    if (this.hasEnded) return
    const exited = once(this.#child, 'exit')
    signalAll([this.pid, ...descendantsOf(this.pid)], 'SIGKILL')
    await exited
  }

  #request(request: RunnerRequest): void {
    this.#reply = undefined
    this.#child.send(request)
  }

  /** Waits until something holds. Throws if the process ends, reports a failure, or takes too long. */
  async #until(what: string, ms: number, holds: () => boolean): Promise<void> {
    const late = AbortSignal.timeout(ms)
    while (!holds()) {
      if (this.#reply?.type === 'failed') throw this.#error(this.#reply.message)
      if (this.hasEnded) throw this.#error(`the process of the hosts ended before ${what}`)
      try {
        await once(this.#child, 'changed', { signal: late })
      } catch {
        throw this.#error(`after ${ms} ms it does not hold that ${what}`)
      }
    }
  }

  #error(message: string): Error {
    return new Error(`${message}\n${this.#output}`)
  }
}
