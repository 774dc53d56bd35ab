import { fork, type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import path from 'node:path'
import type Electron from 'electron'

/** A utility process: a Node child whose module sees `process.parentPort`. */
export class UtilityProcess extends EventEmitter {
  readonly #child: ChildProcess
  readonly stdout: NodeJS.ReadableStream | null
  readonly stderr: NodeJS.ReadableStream | null

  constructor(modulePath: string, args: readonly string[], options: Electron.ForkOptions) {
    super()
    const pipe = options.stdio === 'pipe'
    this.#child = fork(path.join(import.meta.dirname, '..', 'utility-entry.ts'), [modulePath, ...args], {
      env: (options.env ?? process.env) as NodeJS.ProcessEnv,
      execArgv: (options.execArgv ?? []).flatMap(nodeFlags),
      serialization: 'advanced',
      stdio: ['ignore', pipe ? 'pipe' : 'inherit', pipe ? 'pipe' : 'inherit', 'ipc'],
      ...(options.cwd !== undefined && { cwd: options.cwd }),
    })
    this.stdout = this.#child.stdout
    this.stderr = this.#child.stderr
    this.#child.on('spawn', () => this.emit('spawn'))
    this.#child.on('message', (message) => this.emit('message', message))
    this.#child.on('error', (error) => console.error('electron stand-in: utility process', error))
    this.#child.on('exit', (code, signal) => this.emit('exit', code ?? (signal === null ? 0 : 1)))
  }

  get pid(): number | undefined {
    return this.#child.exitCode === null && this.#child.signalCode === null ? this.#child.pid : undefined
  }

  postMessage(message: unknown): void {
    if (this.#child.connected) this.#child.send(message as object)
  }

  kill(): boolean {
    return this.#child.kill()
  }
}

/** Electron takes flags of V8 in a switch of its own. */
function nodeFlags(flag: string): string[] {
  const [name, ...values] = flag.split('=')
  return name === '--js-flags' ? values.join('=').split(' ') : [flag]
}

type Surface = Pick<Electron.UtilityProcess, 'pid' | 'postMessage' | 'kill'>

export const utilityProcess = {
  fork: (modulePath: string, args: readonly string[] = [], options: Electron.ForkOptions = {}) =>
    new UtilityProcess(modulePath, args, options) satisfies Surface,
}
