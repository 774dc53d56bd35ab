import { parseArgs } from 'node:util'
import { openHttpLoad, type Load } from './http-load.ts'
import { loadStdio } from './stdio-load.ts'
import { Target } from './target.ts'

const AT_ONCE = 32
const WARM_UP_MS = 2_000

type Case = {
  readonly name: string
  readonly base: string
  readonly product: string
  readonly open: (target: Target) => Promise<Load>
}

const CASES: readonly Case[] = [
  {
    name: 'HTTP tools/call, 2026-07-28',
    base: 'bare-http',
    product: 'product-http',
    open: (target) => openHttpLoad(target.port, 'modern', AT_ONCE),
  },
  {
    name: 'HTTP tools/call, 2025-11-25',
    base: 'bare-http',
    product: 'product-http',
    open: (target) => openHttpLoad(target.port, 'legacy', AT_ONCE),
  },
  {
    name: 'stdio tools/call, 2026-07-28',
    base: 'bare-stdio',
    product: 'product-stdio',
    open: (target) => Promise.resolve((windowMs) => loadStdio(target.process, AT_ONCE, windowMs)),
  },
]

/** Microseconds of the target's CPU time for one call, and calls in a second. */
type Sample = { readonly micros: number; readonly perSecond: number }

type Measured = { readonly target: Target; readonly load: Load }

async function measure({ target, load }: Measured, windowMs: number): Promise<Sample> {
  const before = await target.cpuMicros()
  const started = performance.now()
  const calls = await load(windowMs)
  const seconds = (performance.now() - started) / 1_000
  return { micros: ((await target.cpuMicros()) - before) / calls, perSecond: calls / seconds }
}

async function run({ name, base, product, open }: Case, rounds: number, windowMs: number): Promise<void> {
  const targets = await Promise.all([Target.start(base), Target.start(product)])
  try {
    const [bare, ours] = [
      { target: targets[0], load: await open(targets[0]) },
      { target: targets[1], load: await open(targets[1]) },
    ]
    // The first thousands of calls are spent by the compiler.
    for (const each of [bare, ours]) await measure(each, WARM_UP_MS)
    const samples: { bare: Sample; ours: Sample }[] = []
    for (let round = 0; round < rounds; round += 1) {
      // Who goes first changes, so that neither always meets the other's rubbish.
      const first = round % 2 === 0 ? bare : ours
      const one = await measure(first, windowMs)
      const two = await measure(first === bare ? ours : bare, windowMs)
      samples.push(first === bare ? { bare: one, ours: two } : { bare: two, ours: one })
    }
    const ratio = median(samples.map((sample) => sample.ours.micros / sample.bare.micros))
    const cells = [
      name.padEnd(30),
      `${ratio.toFixed(2)} × bare`.padEnd(14),
      `${median(samples.map(({ ours: { micros } }) => micros)).toFixed(1)} µs CPU a call`.padEnd(22),
      `(bare ${median(samples.map(({ bare: { micros } }) => micros)).toFixed(1)} µs)`.padEnd(16),
      `${Math.round(median(samples.map(({ ours: { perSecond } }) => perSecond)))} calls/s`,
    ]
    process.stdout.write(`${cells.join(' ')}\n`)
  } finally {
    await Promise.all(targets.map((target) => target.stop()))
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 0 ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper
}

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '8' }, window: { type: 'string', default: '500' } },
})
process.stdout.write(`${AT_ONCE} calls at once, ${values.rounds} rounds of ${values.window} ms\n`)
for (const each of CASES) await run(each, Number(values.rounds), Number(values.window))
