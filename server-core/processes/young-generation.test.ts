import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const PROGRAM = path.join(import.meta.dirname, 'young-generation.test-support.ts')
const MEBIBYTE = 2 ** 20

/** How large the young generation of a process is that was busy, at rest, and busy again, in bytes. */
async function youngGeneration(words: readonly string[], flags: readonly string[] = []): Promise<number[]> {
  const all = ['--expose-gc', ...flags, PROGRAM, ...words]
  const { stdout } = await promisify(execFile)(process.execPath, all, {
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  return JSON.parse(stdout) as number[]
}

it('grows by itself, and stays small where it is limited', async () => {
  const [grown, small] = await Promise.all([youngGeneration([]), youngGeneration(['small'])])
  expect(grown[0]).toBeGreaterThanOrEqual(32 * MEBIBYTE)
  expect(small[0]).toBe(16 * MEBIBYTE)
})

it('grows again after V8 has made it smaller', async () => {
  const [, rested, busy] = await youngGeneration(['small'])
  expect(rested).toBeLessThan(16 * MEBIBYTE)
  expect(busy).toBe(16 * MEBIBYTE)
})

it('is as large as the options of Node say', async () => {
  const [told] = await youngGeneration(['small'], ['--max-semi-space-size=16'])
  expect(told).toBe(32 * MEBIBYTE)
})
