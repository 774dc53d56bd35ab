import { execFileSync, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, it } from 'vitest'
import { stdioTransport } from '../../transports/stdio-client.ts'
import { guardedTransport } from './guarded-transport.ts'

async function start(): Promise<{ parent: ChildProcess; server: number }> {
  const parent = fork(path.join(import.meta.dirname, 'group-guard.test-support.ts'), [], { execArgv: [] })
  const [server] = (await once(parent, 'message')) as [number]
  return { parent, server }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** How many guards of that group there are. */
function guards(pid: number): number {
  const lines = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.endsWith(`patchbay-guard ${pid}`)).length
}

it('ends a server that ignores every polite end when our process is killed', async () => {
  const { parent, server } = await start()
  expect(guards(server)).toBe(1)
  parent.kill('SIGKILL')
  await expect.poll(() => isAlive(server), { timeout: 10_000, interval: 100 }).toBe(false)
  await expect.poll(() => guards(server), { timeout: 5_000 }).toBe(0)
})

it('is called off when the server was ended by ourselves', async () => {
  const { parent, server } = await start()
  parent.send('close')
  await once(parent, 'exit')
  expect(isAlive(server)).toBe(false)
  await expect.poll(() => guards(server), { timeout: 10_000 }).toBe(0)
})

const nothing = (): void => undefined
const receiver = { message: nothing, noise: nothing, requestFailed: nothing, closed: nothing }

it('is not there once a server was closed, be that while it started', async () => {
  for (const isStarted of [true, false]) {
    const server = { command: process.execPath, args: ['-e', 'process.stdin.resume()'], env: {} }
    const transport = guardedTransport(stdioTransport(server))
    const starting = transport.start(receiver)
    if (isStarted) await starting
    await transport.close()
    await starting
    const { pid = 0 } = transport.evidence()
    expect(pid).toBeGreaterThan(0)
    expect(isAlive(pid)).toBe(false)
    expect(guards(pid)).toBe(0)
  }
})
