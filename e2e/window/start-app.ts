import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { commandLineOf, descendantsOf, killSurvivors, signalAll } from '../process-tree.ts'

export const repository = path.resolve(import.meta.dirname, '../..')

/** Milliseconds a start may take, a build included. */
const START_MS = 60_000

const NPM_START = ['npm', 'start', '--silent', '--']
const LAUNCHER = ['node', 'server-core/launcher/start.ts']

/** An app whose window is served, in a process of its own or in one that serves windows one after another. */
export type RunningApp = {
  /** The process of which all others of the app are descendants. */
  readonly pid: number
  /** The address of the window. */
  address(): Promise<string>
  /** All processes that run for it now. */
  processes(): number[]
}

/** Starts apps for one test; `endAll` kills what a test that failed halfway has left. */
export class Starter {
  readonly #profile: string
  readonly #apps: StartedApp[] = []

  /** All apps get this profile. */
  constructor(profile: string) {
    this.#profile = profile
  }

  /** Runs `npm start` with those flags, the profile, and any port for the embedded server. */
  start(flags: readonly string[] = [], env: Readonly<Record<string, string>> = {}): StartedApp {
    return this.#start(NPM_START, flags, env)
  }

  /** Runs what `npm start` runs, in half the time. */
  launch(flags: readonly string[] = [], env: Readonly<Record<string, string>> = {}): StartedApp {
    return this.#start(LAUNCHER, flags, env)
  }

  #start(
    command: readonly string[],
    flags: readonly string[],
    env: Readonly<Record<string, string>>,
  ): StartedApp {
    const app = new StartedApp(['--profile', this.#profile, '--mcp-port', '0', ...flags], env, command)
    this.#apps.push(app)
    return app
  }

  endAll(): void {
    for (const app of this.#apps) signalAll(app.processes(), 'SIGKILL')
  }
}

/** A process of `npm start`, as a user runs it, or of the launcher that it runs. */
export class StartedApp implements RunningApp {
  readonly #started: ChildProcess
  /** Resolves with the exit code when it has ended; null if a signal ended it. */
  readonly exited: Promise<number | null>
  #stdout = ''
  #stderr = ''

  constructor(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    [command = '', ...before]: readonly string[] = NPM_START,
  ) {
    this.#started = spawn(command, [...before, ...args], {
      cwd: repository,
      stdio: ['ignore', 'pipe', 'pipe'],
      // The test runner's wishes about colours are not the app's: Node would warn that they contradict.
      env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...env },
    })
    this.#started.stdout?.on('data', (bytes: Buffer) => (this.#stdout += bytes.toString()))
    this.#started.stderr?.on('data', (bytes: Buffer) => (this.#stderr += bytes.toString()))
    this.exited = once(this.#started, 'close').then(([code]) => code as number | null)
  }

  /** The process id of npm, or of the launcher where it was started by itself. */
  get pid(): number {
    if (this.#started.pid === undefined) throw new Error('the app could not be started')
    return this.#started.pid
  }

  /** How it has ended: its exit code or the signal; undefined while it runs. */
  get ending(): number | string | undefined {
    return this.#started.exitCode ?? this.#started.signalCode ?? undefined
  }

  get stdout(): string {
    return this.#stdout
  }

  get stderr(): string {
    return this.#stderr
  }

  /** The process id of the launcher, which hosts the window; npm puts a shell between itself and it. */
  get launcherPid(): number {
    const launcher = descendantsOf(this.pid).find((pid) => /^\S*node \S*start\.ts/.test(commandLineOf(pid)))
    if (launcher === undefined) throw new Error('the launcher is not running')
    return launcher
  }

  /** Waits for a text on stdout and gives the match. Throws with all that was printed if it does not come. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    const deadline = Date.now() + START_MS
    for (;;) {
      const match = pattern.exec(this.#stdout)
      if (match !== null) return match
      const left = deadline - Date.now()
      const ended = this.exited.then(() => 'ended' as const)
      const heard = once(this.#started.stdout ?? this.#started, 'data').then(() => 'heard' as const)
      const late = AbortSignal.timeout(Math.max(left, 1))
      const waited = await Promise.race([ended, heard, once(late, 'abort').then(() => 'late' as const)])
      if (waited !== 'heard' && pattern.exec(this.#stdout) === null) {
        throw new Error(
          `the app did not print ${String(pattern)} (${waited}):\n${this.#stdout}${this.#stderr}`,
        )
      }
    }
  }

  /** The address of the window. */
  async address(): Promise<string> {
    const [, address = ''] = await this.printed(/Patchbay is at (\S+)/)
    return address
  }

  /** All processes that run for it now, itself included. */
  processes(): number[] {
    return [this.pid, ...descendantsOf(this.pid)]
  }

  /** Ends it by SIGTERM to the started process alone, as a process manager would. Gives the processes that are left after a while. */
  async end(): Promise<number[]> {
    const running = this.processes()
    this.#started.kill('SIGTERM')
    return killSurvivors(running)
  }
}
