import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer, type AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'

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

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts a server that listens; resolves with what ends it once it printed `ready`. */
export async function listeningProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ready: RegExp,
): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString()
        if (ready.test(printed)) resolve()
      })
    child.once('exit', () => reject(new Error(`it ended: ${printed}`)))
  })
  return async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    await gone
  }
}
