/** Makes what survives for a while, and tells how large the young generation became. `small`: it is to stay small. */
import { setImmediate } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { keepYoungGenerationSmall } from '../young-generation.ts'

if (process.argv.includes('small')) keepYoungGenerationSmall()

let kept: unknown[] = []
for (let round = 0; round < 3_000_000; round += 1) {
  if (round % 100_000 === 0) kept = []
  // As between the messages of clients.
  if (round % 1000 === 0) await setImmediate()
  kept.push({ round, list: [round] })
}
const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
process.stdout.write(`${String(young?.space_size)} ${String(kept.length)}`)
