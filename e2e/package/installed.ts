import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const LIMIT_MS = 60_000

/** The commands of an installation, run by one Node, with a home of their own and no network. */
export class Installed {
  readonly folder: string
  readonly node: string
  readonly #env: NodeJS.ProcessEnv

  constructor(folder: string, node: string, home: string) {
    this.folder = folder
    this.node = node
    mkdirSync(home, { recursive: true })
    const nowhere = 'http://127.0.0.1:9'
    this.#env = {
      PATH: [path.dirname(node), '/usr/bin', '/bin'].join(path.delimiter),
      HOME: home,
      TMPDIR: process.env['TMPDIR'],
      // Nothing but loopback is reached: what is installed works offline.
      HTTPS_PROXY: nowhere,
      npm_config_registry: nowhere,
    }
  }

  /** The file of the command. */
  get program(): string {
    return path.join(this.folder, 'node_modules', 'mcp-patchbay', 'bin', 'patchbay.cjs')
  }

  /** Runs a command to its end and returns its standard output. Rejects with all that it said unless it ends with `code`. */
  async run(words: readonly string[], code = 0): Promise<string> {
    return this.runNode([this.program, ...words], code)
  }

  /** Runs a file or flags of Node in the folder of the installation. */
  async runNode(words: readonly string[], code = 0): Promise<string> {
    const options = { cwd: this.folder, env: this.#env, timeout: LIMIT_MS }
    const running = promisify(execFile)(this.node, [...words], options)
    running.child.stdin?.end()
    const ended = await running.catch(
      (error: unknown) => error as { code?: number; stdout: string; stderr: string },
    )
    const ending = 'code' in ended ? ended.code : 0
    if (ending === code) return `${ended.stdout}${code === 0 ? '' : ended.stderr}`
    throw new Error(`${words.join(' ')} ended with ${String(ending)}:\n${ended.stdout}${ended.stderr}`)
  }

  /** Starts a command that goes on; `printed` resolves with the first output that matches. */
  start(
    words: readonly string[],
    pattern: RegExp,
  ): { child: ChildProcess; printed: Promise<RegExpExecArray> } {
    const child = spawn(this.node, [this.program, ...words], {
      cwd: this.folder,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return { child, printed: printed(child, pattern) }
  }
}

async function printed(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>()
  const timer = setTimeout(() => reject(new Error(`${String(pattern)} was not printed:\n${text}`)), LIMIT_MS)
  let text = ''
  const look = (bytes: Buffer): void => {
    text += bytes.toString()
    const match = pattern.exec(text)
    if (match !== null) resolve(match)
  }
  child.stdout?.on('data', look)
  child.stderr?.on('data', look)
  child.once('exit', (code) => reject(new Error(`it ended with ${String(code)}:\n${text}`)))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}

/** Ends a process by SIGTERM and returns its exit code. */
export async function end(child: ChildProcess): Promise<number | null> {
  const exited = once(child, 'exit') as Promise<[number | null]>
  child.kill('SIGTERM')
  return (await exited)[0]
}
