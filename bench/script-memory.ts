/** Prints the memory of a process that serves a workspace of N scripts, its children included, once all are idle. */
import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { callTool } from '../server-core/client/requests/call-tool.ts'
import { listProcesses } from '../server-core/processes/process-table.ts'
import { serveWorkspace } from './live-server.ts'

/** Milliseconds after which a Worker ends here; a minute would only be waited for. */
const IDLE_MS = 1_000

const scripts = Number(process.argv[2])
const served = await serveWorkspace(scripts, { scriptIdleMs: IDLE_MS })
const connection = await served.connect()
for (let at = 0; at < scripts; at += 1) {
  await callTool(connection, { name: `tool${at}`, arguments: { a: at, b: 1 } })
}
await connection.close()
while (served.live.scripts().some((script) => 'worker' in script)) await setTimeout(100)
await setTimeout(2 * IDLE_MS)
globalThis.gc?.()
await setTimeout(500)
process.stdout.write(`${JSON.stringify({ bytes: await memory() })}\n`)
await served.close()
process.exit()

async function memory(): Promise<number> {
  const rows = await listProcesses()
  const tree = new Set([process.pid])
  for (let before = 0; before !== tree.size;) {
    before = tree.size
    for (const { pid, parent } of rows) if (tree.has(parent)) tree.add(pid)
  }
  const sizes = await Promise.all([...tree].map(resident))
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

/** What it alone holds, and its share of what it holds with others; 0 for an ended process. */
async function resident(pid: number): Promise<number> {
  try {
    const [, kib = '0'] = /^Pss:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
    return Number(kib) * 1_024
  } catch {
    return 0
  }
}
