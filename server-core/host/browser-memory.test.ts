import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const PROGRAM = path.join(import.meta.dirname, 'browser-memory.test-support.ts')

/** The most bytes of heap of a process that stores and drops objects. */
async function mostHeap(...profile: string[]): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...profile], {
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  return Number(stdout)
}

it('takes much less memory for objects that are stored for a while than other processes', async () => {
  const profile = await mkdtemp(path.join(tmpdir(), 'patchbay-memory-'))
  const [usual, host] = await Promise.all([mostHeap(), mostHeap(profile)])
  expect(host).toBeLessThan(usual * 0.75)
})
