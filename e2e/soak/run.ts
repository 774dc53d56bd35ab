/**
 * `npm run soak`: bad input and many clients against the server, in processes of its own, and scrambled answers and
 * stubborn servers against the client. Prints the seed, a line for each part and `N passed, N failed`. Options: `--size smoke|full`, `--seed N`, `--only PART` (several by comma),
 * `--rounds N` for the rounds of each attack.
 */
import { parseArgs } from 'node:util'
import { PARTS, SIZES, type Part, type Size } from './parts.ts'
import { Random } from '../random.ts'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: 'full' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_007) },
    only: { type: 'string' },
    rounds: { type: 'string' },
  },
})

const sized = SIZES.get(values.size)
const rounds = values.rounds === undefined ? sized?.rounds : Number(values.rounds)
const size = sized && rounds !== undefined ? { ...sized, rounds } : undefined
const seed = Number(values.seed)
const names = values.only?.split(',')
const unknown = names?.filter((name) => !PARTS.some((part) => part.name === name)) ?? []
if (
  size === undefined ||
  !Number.isSafeInteger(seed) ||
  (typeof rounds === 'number' && !(Number.isSafeInteger(rounds) && rounds > 0)) ||
  unknown.length > 0
) {
  const known = PARTS.map((part) => part.name).join(', ')
  console.error(
    `soak expects --size ${[...SIZES.keys()].join(' or ')}, --seed with an integer, --rounds with a positive one, --only with some of ${known}`,
  )
  process.exit(2)
}

async function runPart(part: Part, index: number, partSize: Size): Promise<boolean> {
  const startedAt = performance.now()
  let findings: readonly string[]
  let what = ''
  try {
    const outcome = await part.run(new Random(seed + index), partSize)
    findings = outcome.findings
    what = outcome.what
  } catch (error) {
    findings = [error instanceof Error ? (error.stack ?? error.message) : String(error)]
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  console.log(
    `${part.name}: ${what}, ${findings.length === 0 ? 'no' : findings.length} findings, ${seconds} s`,
  )
  for (const finding of findings) console.log(`  ${finding}`)
  return findings.length === 0
}

console.log(`seed ${seed}, size ${values.size}`)
let passed = 0
let failed = 0
for (const [index, part] of PARTS.entries()) {
  if (names !== undefined && !names.includes(part.name)) continue
  if (await runPart(part, index, size)) passed += 1
  else failed += 1
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
// A part that failed may have left something open, which must not keep this process.
setTimeout(() => process.exit(), 10_000).unref()
