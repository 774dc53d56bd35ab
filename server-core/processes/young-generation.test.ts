import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const PROGRAM = path.join(import.meta.dirname, 'testing', 'keeping.ts')
const MEBIBYTE = 2 ** 20

/** How large the young generation of a process becomes that keeps much for a while, in bytes. */
async function youngGeneration(words: readonly string[], flags: readonly string[] = []): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, PROGRAM, ...words], {
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  return Number.parseInt(stdout, 10)
}

it('grows by itself, and stays small where it is told to', async () => {
  const [grown, small] = await Promise.all([youngGeneration([]), youngGeneration(['small'])])
  expect(grown).toBeGreaterThanOrEqual(32 * MEBIBYTE)
  expect(small).toBeLessThanOrEqual(16 * MEBIBYTE)
})

it('is as large as Node was told', async () => {
  const told = await youngGeneration(['small'], ['--max-semi-space-size=16'])
  expect(told).toBeGreaterThanOrEqual(32 * MEBIBYTE)
})
