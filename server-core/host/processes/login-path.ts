import { spawn } from 'node:child_process'

/** A shell whose profile asks or hangs is not waited for longer. */
const SHELL_TIMEOUT_MS = 5_000
const MAX_OUTPUT_BYTES = 1024 * 1024
/** Marks the begin and end of the output we want, as profiles print all kinds of things. */
const MARK = '__PATCHBAY_ENVIRONMENT__'

let adopted: Promise<void> | undefined

/**
 * Makes PATH what a login shell would have, once: a desktop started from a menu gets the bare PATH of the system, in
 * which no `npx` or `uvx` is found that a user installed. Where a shell started us, and on Windows, PATH is right as it
 * is. If the shell tells nothing in time, PATH stays. Never rejects.
 */
export function adoptLoginPath(environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  adopted ??= (async () => {
    if (process.platform === 'win32' || environment['SHLVL'] !== undefined) return
    const shell = environment['SHELL'] ?? (process.platform === 'darwin' ? '/bin/zsh' : '/bin/sh')
    const found = await loginPath(shell, environment)
    if (found !== undefined) environment['PATH'] = mergedPath(found, environment['PATH'])
  })()
  return adopted
}

/** The PATH that a shell has after its profile, or undefined if it tells none in `timeoutMs` milliseconds. */
export async function loginPath(
  shell: string,
  environment: NodeJS.ProcessEnv,
  timeoutMs = SHELL_TIMEOUT_MS,
): Promise<string | undefined> {
  const command = `echo ${MARK}; /usr/bin/env; echo ${MARK}`
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    let length = 0
    const child = spawn(shell, [...flagsOf(shell), command], {
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
      // Away from our terminal, which an interactive shell would take.
      detached: true,
    })
    const finish = (): void => {
      clearTimeout(timer)
      child.stdout.destroy()
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) endGroup(child.pid)
      resolve(pathIn(Buffer.concat(parts).toString()))
    }
    const timer = setTimeout(finish, timeoutMs)
    child.once('error', finish)
    // What a profile leaves running may hold the pipe; the shell itself has said everything.
    child.once('exit', () => setImmediate(finish))
    child.stdout.on('data', (part: Buffer) => {
      parts.push(part)
      length += part.length
      if (length > MAX_OUTPUT_BYTES) finish()
    })
  })
}

/** csh and its kin take `-l` alone only. */
function flagsOf(shell: string): readonly string[] {
  return /csh$/.test(shell) ? ['-ic'] : ['-i', '-l', '-c']
}

/** The PATH in what `env` printed between the marks. */
export function pathIn(output: string): string | undefined {
  const [, printed] = output.split(MARK)
  const found = printed === undefined ? undefined : /^PATH=(.+)$/m.exec(printed)?.[1]
  return found?.trim()
}

/** The folders of both, those of the shell first, none twice. */
export function mergedPath(login: string, own = ''): string {
  const folders = [...login.split(':'), ...own.split(':')].filter((folder) => folder !== '')
  return [...new Set(folders)].join(':')
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended in the meantime, which is what was wanted.
  }
}
