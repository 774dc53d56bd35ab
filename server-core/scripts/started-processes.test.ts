import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reapLeftovers } from '../processes/reaper.ts'
import { listProcesses } from '../processes/process-table.ts'
import { alive } from '../processes/testing/alive.test-support.ts'
import { ALL_KINDS, stubbornArgs } from '../processes/testing/stubborn.test-support.ts'
import { builtModules, call, said, ScriptWorkspace } from './testing/script-workspace.test-support.ts'

const PARENT = fileURLToPath(new URL('./fixtures/parent.test-support.ts', import.meta.url))

/** Starts processes of every kind that ignore every request to end, and returns their pids. */
const STARTS = `import { spawn } from 'node:child_process'
const tree = (detached: boolean) => new Promise<number[]>((resolve) => {
  const child = spawn(process.execPath, ${JSON.stringify(stubbornArgs([...ALL_KINDS, 'stubborn']))},
    { detached, stdio: ['pipe', 'ignore', 'pipe'] })
  child.stderr.once('data', (bytes) => resolve(JSON.parse(String(bytes)).pids))
})
const sleep = (options: object) => {
  const child = spawn('sleep', ['600'], { stdio: 'ignore', ...options })
  child.unref()
  return child.pid
}
const start = async () => JSON.stringify([
  ...(await tree(false)), ...(await tree(true)),
  sleep({}), sleep({ detached: true }), sleep({ detached: true, env: { PATH: process.env.PATH ?? '/usr/bin:/bin' } }),
])
export const starts = tool({ run: start })
export const block = tool({ async run() { console.log(await start()); return new Promise(() => undefined) } })`

let modules = ''
let workspace: ScriptWorkspace
beforeAll(async () => {
  modules = await builtModules()
  workspace = await ScriptWorkspace.open(modules, {}, { limits: { scriptCrashes: 1_000 } })
})
afterAll(async () => {
  await workspace.close()
  await rm(modules, { recursive: true, force: true })
})

const COUNT = 2 * (1 + ALL_KINDS.length) + 3

function pidsIn(text: unknown): number[] {
  const pids = JSON.parse(String(text)) as number[]
  expect(pids).toHaveLength(COUNT)
  return pids
}

/** A host of its own that runs the script, with a journal. */
async function startHost(journals: string) {
  const host = spawn(process.execPath, [PARENT, workspace.folder, modules, journals], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: host.stdout }), 'line')) as [string]
  const pids = pidsIn(line)
  expect(await alive(pids)).toEqual(pids)
  return { host, pids }
}

describe('what a script starts ends', () => {
  it('when the workspace is closed', async () => {
    const other = await ScriptWorkspace.open(modules)
    const script = await other.script('tools/unruly.ts', STARTS)
    const pids = pidsIn(said(await call(script, 'starts')))
    expect(await alive(pids)).toEqual(pids)
    await other.close()
    expect(await alive(pids)).toEqual([])
  })

  it('when its process is killed by somebody', async () => {
    const script = await workspace.script('tools/unruly.ts', STARTS)
    const pids = pidsIn(said(await call(script, 'starts')))
    process.kill(workspace.host.state().pid ?? 0, 'SIGKILL')
    await expect.poll(() => alive(pids), { interval: 100 }).toEqual([])
  })

  it('when the host is killed', async () => {
    const { host, pids } = await startHost('')
    host.kill('SIGKILL')
    await expect.poll(() => alive(pids), { interval: 100 }).toEqual([])
  })

  it('at the next start, when the host was killed with all guards', async () => {
    const journals = await mkdtemp(path.join(tmpdir(), 'patchbay-journals-'))
    const { host, pids } = await startHost(journals)
    const guards = (await listProcesses()).filter(({ parent }) => parent === host.pid)
    host.kill('SIGSTOP')
    for (const { pid } of guards) process.kill(pid, 'SIGKILL')
    host.kill('SIGKILL')
    await once(host, 'exit')
    const [reaped] = await reapLeftovers(journals)
    expect(reaped?.commands).toContain('patchbay tool host')
    expect(await alive(pids)).toEqual([])
    await rm(journals, { recursive: true })
  })
})
