import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { RouteUrls } from '../../server-core/listener/routes.ts'
import type { Target } from './raw-connection.ts'

const SERVER = path.join(import.meta.dirname, 'server.ts')
const PAGE_BYTES = 4_096

/** Starts the server under soak in a process of its own and waits until it listens. */
export async function startTarget(): Promise<Target> {
  const child = spawn(process.execPath, [SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit').then(
    ([code, signal]) => `the server process ended (${String(signal ?? code)})`,
  )
  const first = once(createInterface(child.stdout), 'line')
  const said = await Promise.race([first, ended])
  if (typeof said === 'string') throw new Error(`${said} before it listened`)
  const { mcp = '', sse = '', ws = '' } = JSON.parse(String(said[0])) as RouteUrls
  return {
    mcpUrl: mcp,
    sseUrl: sse,
    webSocketUrl: ws,
    memory: () => residentBytes(child.pid),
    ended,
    close: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Zero where the system does not tell. */
function residentBytes(pid: number | undefined): number {
  try {
    const [, resident] = readFileSync(`/proc/${String(pid)}/statm`, 'utf8').split(' ')
    return Number(resident) * PAGE_BYTES
  } catch {
    return 0
  }
}
