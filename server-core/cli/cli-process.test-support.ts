import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { buildParts } from '../launcher/build-parts.ts'
import { CLI_PARTS, PARTS } from '../launcher/parts.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** The built command line. */
export const patchbay = path.join(root, 'dist/cli/patchbay.js')

/** Builds the command line as it is now, with what runs scripts. Throws if it does not build. */
export async function buildCli(): Promise<void> {
  const parts = PARTS.filter(({ name }) => CLI_PARTS.includes(name))
  for (const outcome of await buildParts(root, parts)) {
    if (outcome.state === 'failed') throw new Error(outcome.message)
  }
}

/** Whether the tests themselves are coloured does not change what the programs print that they start. */
const OWN_ENVIRONMENT = { ...process.env, FORCE_COLOR: undefined, NO_COLOR: undefined }

/** What a command says while it waits, which depends on how busy the machine is. */
const WAITING = /^Waiting for .* to answer \(up to .*\)\.\n(?: {2}It.*\n)*/gm

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

export type Surroundings = {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** What is written to its standard input, which is then closed. */
  readonly input?: string
  /** A file that is its standard input, in place of a pipe. */
  readonly inputFile?: string
}

/** Runs the built command line as a process of its own, in a pipe unless a file is given, to its end. */
export async function runCli(
  words: readonly string[],
  { cwd, env, input, inputFile }: Surroundings,
): Promise<Ended> {
  const file = inputFile === undefined ? undefined : await open(inputFile)
  const child = spawn(process.execPath, [patchbay, ...words], {
    cwd,
    env: { ...OWN_ENVIRONMENT, ...env },
    stdio: [file?.fd ?? 'pipe', 'pipe', 'pipe'],
  })
  child.stdin?.end(input)
  await file?.close()
  const [stdout, stderr, [code]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr: stderr.replaceAll(WAITING, '') }
}

async function textOf(stream: Readable | null): Promise<string> {
  return stream === null ? '' : text(stream)
}

/** A `patchbay serve` that listens. */
export class ServeProcess {
  /** Resolves with the exit code when it has ended; null if a signal ended it. */
  readonly exited: Promise<number | null>
  readonly #child: ChildProcess
  #stderr = ''

  constructor(words: readonly string[], { cwd, env }: Omit<Surroundings, 'input'>) {
    this.#child = spawn(process.execPath, [patchbay, 'serve', ...words], {
      cwd,
      env: { ...OWN_ENVIRONMENT, ...env },
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    this.#child.stderr?.on('data', (bytes: Buffer) => (this.#stderr += bytes.toString()))
    this.exited = once(this.#child, 'close').then(([code]) => code as number | null)
  }

  /** What it has told so far. */
  get stderr(): string {
    return this.#stderr
  }

  /** Waits until it has told this many addresses. Throws what it said if it ends before. */
  async addresses(count = 1): Promise<readonly string[]> {
    for (;;) {
      const urls = urlsIn(this.#stderr)
      if (urls.length >= count) return urls
      await this.#more()
    }
  }

  /** Waits until its stderr has this. Throws what it said if it ends before. */
  async tells(words: string | RegExp): Promise<void> {
    const isTold = () => (typeof words === 'string' ? this.#stderr.includes(words) : words.test(this.#stderr))
    while (!isTold()) await this.#more()
  }

  /** Closes its standard input. */
  endInput(): void {
    this.#child.stdin?.end()
  }

  /** Ends it with a signal, and returns its exit code. */
  end(): Promise<number | null> {
    this.#child.kill('SIGTERM')
    return this.exited
  }

  async #more(): Promise<void> {
    const { stderr } = this.#child
    if (stderr === null) throw new Error('it has no stderr')
    const what = await Promise.race([once(stderr, 'data'), this.exited])
    if (!Array.isArray(what)) throw new Error(`it ended with ${String(what)}: ${this.#stderr}`)
  }
}

/** The addresses that a server told on stderr, in their order. */
export function urlsIn(stderr: string): readonly string[] {
  return Array.from(stderr.matchAll(/listens at (\S+)\n/g), ([, url = '']) => url)
}
