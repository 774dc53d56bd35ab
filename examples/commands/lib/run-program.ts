import { spawn, type ChildProcess } from 'node:child_process'
import { StringDecoder } from 'node:string_decoder'
import { endTree } from './end-tree.ts'

export type RunOptions = {
  readonly program: string
  readonly words: readonly string[]
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly input: string | undefined
  readonly timeLimitMs: number
  /** Bytes that are kept of each stream; the rest is read and left out. */
  readonly outputBytes: number
  /** Ends it with all that it started. */
  readonly signal: AbortSignal
  /** Gets each line as it comes. */
  readonly onLine: (line: string) => void
}

export type Ended = {
  /** Null if a signal ended it. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
  /** Something of the output was left out. */
  readonly isCut: boolean
  /** It took longer than it may. */
  readonly isLate: boolean
  readonly ms: number
}

/**
 * Runs a program to its end, by its words and without a shell.
 *
 * @throws the system's error if it cannot be started; the reason of the signal if that was aborted
 */
export async function runProgram(options: RunOptions): Promise<Ended> {
  const { program, words, folder, env, input, timeLimitMs, outputBytes, signal, onLine } = options
  signal.throwIfAborted()
  const startedAt = performance.now()
  const child = spawn(program, words, {
    cwd: folder,
    env,
    shell: false,
    windowsHide: true,
    // A group of its own, so that it can be ended with all that it started.
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    endTree(child)
  }, timeLimitMs)
  const abort = (): void => endTree(child)
  signal.addEventListener('abort', abort, { once: true })
  // A program that reads no input closes it, which is not an error.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input ?? '')
  const stdout = new Kept(outputBytes, onLine)
  const stderr = new Kept(outputBytes, onLine)
  child.stdout.on('data', (bytes: Buffer) => stdout.take(bytes))
  child.stderr.on('data', (bytes: Buffer) => stderr.take(bytes))
  try {
    const { exitCode, signal: by } = await closed(child)
    signal.throwIfAborted()
    return {
      exitCode,
      signal: by,
      stdout: stdout.text(),
      stderr: stderr.text(),
      isCut: stdout.isCut || stderr.isCut,
      isLate,
      ms: Math.round(performance.now() - startedAt),
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    // What it left in its group ends with it.
    endTree(child)
  }
}

function closed(child: ChildProcess): Promise<{ exitCode: number | null; signal: string | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal }))
    // Somebody who inherited its output could hold it open for ever.
    child.once('exit', () => endTree(child))
  })
}

/** The first bytes of a stream, and its lines. */
class Kept {
  isCut = false
  readonly #limit: number
  readonly #onLine: (line: string) => void
  readonly #decoder = new StringDecoder('utf8')
  #bytes = 0
  #text = ''
  #line = ''

  constructor(limit: number, onLine: (line: string) => void) {
    this.#limit = limit
    this.#onLine = onLine
  }

  take(bytes: Buffer): void {
    const room = this.#limit - this.#bytes
    if (bytes.length > room) this.isCut = true
    if (room <= 0) return
    const piece = this.#decoder.write(bytes.subarray(0, room))
    this.#bytes += Math.min(bytes.length, room)
    this.#text += piece
    const lines = (this.#line + piece).split('\n')
    this.#line = lines.pop() ?? ''
    for (const line of lines) this.#onLine(line.replace(/\r$/, ''))
  }

  text(): string {
    return this.#text
  }
}
