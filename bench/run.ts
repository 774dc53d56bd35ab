import { parseArgs } from 'node:util'
import { buildBench } from './build-bench.ts'
import { CASES, type Case } from './cases.ts'
import type { Load } from './http-load.ts'
import { median } from './median.ts'
import { Target } from './target.ts'

const WARM_UP_MS = 2_000

/** Microseconds of the target's CPU time for one call, and calls in a second. */
type Sample = { readonly micros: number; readonly perSecond: number }

type Measured = {
  readonly name: string
  readonly target: Target
  readonly load: Load
  readonly samples: Sample[]
}

async function measure({ target, load }: Measured, windowMs: number): Promise<Sample> {
  const before = await target.cpuMicros()
  const started = performance.now()
  const calls = await load(windowMs)
  const seconds = (performance.now() - started) / 1_000
  return { micros: ((await target.cpuMicros()) - before) / calls, perSecond: calls / seconds }
}

async function run({ name, programs, open }: Case, rounds: number, windowMs: number): Promise<void> {
  const measured: Measured[] = []
  try {
    for (const each of programs) {
      const target = await Target.start(each.program)
      measured.push({ name: each.name, target, load: await open(target), samples: [] })
    }
    // The first thousands of calls are spent by the compiler.
    for (const each of measured) await measure(each, WARM_UP_MS)
    for (let round = 0; round < rounds; round += 1) {
      // Who goes first changes, so that nobody always meets another's rubbish.
      const first = round % measured.length
      for (const each of [...measured.slice(first), ...measured.slice(0, first)]) {
        each.samples.push(await measure(each, windowMs))
      }
    }
    print(name, measured)
  } finally {
    await Promise.all(measured.map(({ target }) => target.stop()))
  }
}

function print(name: string, measured: readonly Measured[]): void {
  const [first] = measured
  const official = measured.find((each) => each.name.startsWith('official'))
  process.stdout.write(`\n${name}; × means: of ${first?.name ?? 'nothing'}\n`)
  for (const each of measured) {
    const cells = [
      each.name.padEnd(24),
      `${ratio(each, first, 'perSecond')} × the calls/s`.padEnd(24),
      `${ratio(each, first, 'micros')} × the CPU a call`.padEnd(24),
      official === undefined ? '' : `${ratio(each, official, 'perSecond')} × the official SDK`.padEnd(27),
      `${median(each.samples.map(({ micros }) => micros)).toFixed(1)} µs a call`.padEnd(18),
      `${Math.round(median(each.samples.map(({ perSecond }) => perSecond)))} calls/s`,
    ]
    process.stdout.write(`  ${cells.join(' ')}\n`)
  }
}

/** The median of the ratios within each round. */
function ratio(one: Measured, other: Measured | undefined, of: keyof Sample): string {
  const ratios = one.samples.map((sample, round) => sample[of] / (other?.samples[round]?.[of] ?? Number.NaN))
  return median(ratios).toFixed(2)
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '8' },
    window: { type: 'string', default: '500' },
    only: { type: 'string', default: '' },
  },
})
await buildBench()
process.stdout.write(
  `${values.rounds} rounds of ${values.window} ms; medians of the ratios within each round\n`,
)
for (const each of CASES.filter(({ name }) => name.includes(values.only))) {
  await run(each, Number(values.rounds), Number(values.window))
}
