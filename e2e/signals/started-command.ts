import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { aliveOf, commandLineOf, descendantsOf, signalAll } from '../process-tree.ts'

export const repository = path.resolve(import.meta.dirname, '../..')

/** Milliseconds everything may take to end, the limit of calls in flight included. */
const END_MS = 20_000

/** How the command line is started: the ways of the README, and what they run. */
const WAYS = {
  /** The script that a user links into a folder of PATH. */
  wrapper: [path.join(repository, 'bin/patchbay')],
  npm: ['npm', '--prefix', repository, 'run', '-s', 'patchbay', '--'],
  launcher: [process.execPath, path.join(repository, 'server-core/launcher/patchbay.ts')],
  built: [process.execPath, path.join(repository, 'dist/cli/patchbay.js')],
} as const
export type Way = keyof typeof WAYS

/** The program and the arguments of a way to start the command line. */
export function commandOf(way: Way): readonly string[] {
  return WAYS[way]
}

export type StartOptions = {
  /**
   * A folder of this command alone. It is its home and its folder for temporary files, so that every process below it
   * can be found by it.
   */
  readonly home: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Its standard input and output are pipes (`input`, `output`); otherwise it has no standard input or output. */
  readonly piped?: boolean
}

/** A command line in a process group of its own, with everything that it starts. */
export class StartedCommand {
  /** Resolves with the exit code or the signal once it has ended. */
  readonly exited: Promise<number | string>
  readonly pid: number
  readonly #home: string
  readonly #child: ChildProcess
  readonly #seen = new Set<number>()
  #stderr = ''

  constructor([program = '', ...args]: readonly string[], { home, env, cwd, piped = false }: StartOptions) {
    this.#home = home
    const given = Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD|PATCHBAY_)/.test(name))
    const child = spawn(program, args, {
      cwd: cwd ?? home,
      env: { ...Object.fromEntries(given), HOME: home, TMPDIR: home, ...env },
      stdio: [piped ? 'pipe' : 'ignore', piped ? 'pipe' : 'ignore', 'pipe'],
      detached: true,
    })
    if (child.pid === undefined) throw new Error(`${program} could not be started`)
    this.pid = child.pid
    this.#child = child
    child.stderr?.on('data', (bytes: Buffer) => (this.#stderr += bytes.toString()))
    this.exited = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string)
  }

  /** Runs `patchbay WORDS`. */
  static patchbay(way: Way, words: readonly string[], options: StartOptions): StartedCommand {
    return new StartedCommand([...commandOf(way), ...words], options)
  }

  /** Its standard input. Throws if that is not a pipe. */
  get input(): Writable {
    if (this.#child.stdin === null) throw new Error('standard input is not a pipe')
    return this.#child.stdin
  }

  /** Its standard output. Throws if that is not a pipe. */
  get output(): Readable {
    if (this.#child.stdout === null) throw new Error('standard output is not a pipe')
    return this.#child.stdout
  }

  /** What it has written to standard error so far. */
  get stderr(): string {
    return this.#stderr
  }

  /** Waits until standard error matches, and returns the match. Throws what it wrote if it ends before. */
  async writes(pattern: RegExp): Promise<RegExpExecArray> {
    const { stderr } = this.#child
    if (stderr === null) throw new Error('standard error is not read')
    for (;;) {
      const match = pattern.exec(this.#stderr)
      if (match !== null) return match
      const what = await Promise.race([once(stderr, 'data'), once(stderr, 'close').then(() => 'closed')])
      if (what === 'closed' && !pattern.test(this.#stderr)) {
        throw new Error(`it ended before it wrote ${String(pattern)}:\n${this.#stderr}`)
      }
    }
  }

  /** Waits for the address that it listens at. */
  async url(): Promise<URL> {
    const [, address = ''] = await this.writes(/listens at (\S+)\n/)
    return new URL(address)
  }

  /** The processes that run for it now, itself included. Remembers them for `left`. */
  processes(): readonly number[] {
    const now = [this.pid, ...descendantsOf(this.pid), ...processesOfHome(this.#home)]
    for (const pid of now) this.#seen.add(pid)
    return aliveOf([...new Set(now)])
  }

  /** The process below it (or itself) whose command line matches. Throws if no process matches. */
  find(pattern: RegExp): number {
    const found = this.processes().find((pid) => pattern.test(commandLineOf(pid)))
    if (found === undefined) throw new Error(`no process matches ${String(pattern)}`)
    return found
  }

  /** Sends a signal to the whole process group, as a terminal or a job runner does. */
  signalGroup(signal: NodeJS.Signals): void {
    signalAll([-this.pid], signal)
  }

  /**
   * Waits until none of its processes is left.
   *
   * @returns the command lines of those that are; they are killed
   */
  async left(): Promise<readonly string[]> {
    const deadline = performance.now() + END_MS
    const alive = () => aliveOf([...new Set([...this.#seen, ...this.processes()])])
    let still = alive()
    while (still.length > 0 && performance.now() < deadline) {
      await pause(25)
      still = alive()
    }
    const lines = still.map((pid) => `${pid} ${commandLineOf(pid)}`)
    signalAll(still, 'SIGKILL')
    return lines
  }
}

/** The processes whose environment names that folder. Linux alone shows it; elsewhere parents have to do. */
function processesOfHome(home: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return []
    try {
      return readFileSync(`/proc/${name}/environ`, 'latin1').includes(`=${home}\0`) ? [Number(name)] : []
    } catch {
      // It has ended, or belongs to another user.
      return []
    }
  })
}

/** Whether something listens there. */
export function isListening({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
