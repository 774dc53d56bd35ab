import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createConnection } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** The file that an installed package starts as its program. */
export function programOf(packageName: string): string {
  const folder = folderOf(packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly bin: string | Readonly<Record<string, string>>
  }
  const file = typeof bin === 'string' ? bin : Object.values(bin)[0]
  if (file === undefined) throw new Error(`${packageName} has no program`)
  return join(folder, file)
}

/** Not every package lets its package.json be resolved. */
function folderOf(packageName: string): string {
  for (const modules of createRequire(import.meta.url).resolve.paths(packageName) ?? []) {
    try {
      readFileSync(join(modules, packageName, 'package.json'))
      return join(modules, packageName)
    } catch {
      // It is in one of the folders further up.
    }
  }
  throw new Error(`${packageName} is not installed below ${dirname(import.meta.url)}`)
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    const settled = (accepted: boolean) => () => {
      socket.destroy()
      resolve(accepted)
    }
    socket.once('connect', settled(true)).once('error', settled(false))
  })
}

/** Starts a server; resolves with what ends it once it listens on that port, which some print too early. */
export async function listeningProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  port: number,
): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  while (!(await isOpen(port))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended: ${printed}`)
    await pause(20)
  }
  return async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    await gone
  }
}
