/**
 * Is busy, rests, and is busy again; reports how large the young generation was after each, in bytes. `small`: it is to
 * stay small. Needs `--expose-gc`.
 */
import { setImmediate } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { keepYoungGenerationSmall } from './young-generation.ts'

if (process.argv.includes('small')) keepYoungGenerationSmall()

/** Makes what survives for a while. */
async function beBusy(): Promise<void> {
  let kept: unknown[] = []
  for (let round = 0; round < 2_000_000; round += 1) {
    if (round % 100_000 === 0) kept = []
    // As between the messages of clients.
    if (round % 1000 === 0) await setImmediate()
    kept.push({ round, list: [round] })
  }
}

/** V8 does this by itself, to a process that did nothing for a while. */
async function rest(): Promise<void> {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  await setImmediate()
}

const sizes: unknown[] = []
for (const phase of [beBusy, rest, beBusy]) {
  await phase()
  sizes.push(getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size)
}
process.stdout.write(JSON.stringify(sizes))
