import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Ending } from './reports.ts'

export const repository = path.resolve(import.meta.dirname, '../..')

export type ProgramOutcome = Ending & {
  /** What it wrote on stdout alone. */
  readonly stdout: string
}

export type ProgramOptions = {
  /** Beside the environment of this process. */
  readonly env?: Readonly<Record<string, string>>
  /** Lines of its stdout that are not shown. */
  readonly leaveOut?: RegExp
  /** Receives its output, a line each, of stderr too; it is shown as it comes if this is not given. */
  readonly say?: ((line: string) => void) | undefined
}

/** A program that takes longer hangs, and is killed with all its children: each test has a shorter limit of its own. */
const LIMIT_MS = 45 * 60_000

const running = new Set<number>()

/** Kills every program that still runs, with its children. */
export function killPrograms(): void {
  for (const pid of running) killGroup(pid)
}

/** Runs a Node program of the repository with its words shown, and gives how it ended. */
export async function runProgram(
  file: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramOutcome> {
  const child = spawn(process.execPath, [path.join(repository, file), ...args], {
    cwd: repository,
    // A group of its own, so that whatever it leaves behind can be ended with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`could not start ${file}`)
  running.add(pid)
  const timer = setTimeout(() => {
    console.error(`${file} did not end within ${LIMIT_MS / 60_000} minutes and is killed`)
    killGroup(pid)
  }, LIMIT_MS)
  const { say = console.log } = options
  let output = ''
  let stdout = ''
  createInterface({ input: child.stdout }).on('line', (line) => {
    stdout += `${line}\n`
    output += `${line}\n`
    if (options.leaveOut?.test(line) !== true) say(line)
  })
  createInterface({ input: child.stderr }).on('line', (line) => {
    output += `${line}\n`
    if (options.say === undefined) console.error(line)
    else options.say(line)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(timer)
  running.delete(pid)
  killGroup(pid)
  return { code: code ?? undefined, output, stdout }
}

function killGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // Nobody of that group is left, which is what is wanted.
  }
}
