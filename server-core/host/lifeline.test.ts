import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, it } from 'vitest'

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

it('ends a process whose parent was killed, and one whose parent ended', async () => {
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const parent = fork(path.join(import.meta.dirname, 'lifeline.test-support.ts'), ['parent'], {
      execArgv: [],
    })
    const [pid] = (await once(parent, 'message')) as [number]
    expect(isAlive(pid)).toBe(true)
    parent.kill(signal)
    await once(parent, 'exit')
    await expect.poll(() => isAlive(pid), { interval: 50 }).toBe(false)
  }
})
