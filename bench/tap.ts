/**
 * `npm run bench:tap`: what `patchbay tap` adds over stdio: the time from its start to the first answer, beside bare Node,
 * and the round trip of messages at a fixed rate, beside the same server without a tap.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildParts } from '../server-core/launcher/build-parts.ts'
import { CLI_PARTS, partNamed } from '../server-core/launcher/parts.ts'
import { INITIALIZE } from './calls.ts'
import { median } from './median.ts'

const root = path.resolve(import.meta.dirname, '..')
const PATCHBAY = path.join(root, 'dist/cli/patchbay.js')
const BARE = `process.stdin.once('data', () => process.stdout.write('{"jsonrpc":"2.0","id":0,"result":{}}\\n'))`
/** Answers every line with itself, in the time of a small program. */
const ECHO = ['cat']

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    rate: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '5' },
  },
})
const parts = CLI_PARTS.flatMap((name) => partNamed(name) ?? [])
for (const outcome of await buildParts(root, parts)) {
  if (outcome.state === 'failed') throw new Error(outcome.message)
}
const profile = await mkdtemp(path.join(tmpdir(), 'patchbay-bench-tap-'))
const tapped = [process.execPath, PATCHBAY, 'tap', '--profile', profile, '--', ...ECHO]
try {
  await coldStart()
  await latency()
} finally {
  await rm(profile, { recursive: true, force: true })
}

function start([program = '', ...args]: readonly string[]): ChildProcessWithoutNullStreams {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stderr.pipe(process.stderr)
  return child
}

async function coldStart(): Promise<void> {
  const times: { readonly bare: number; readonly tap: number }[] = []
  // The first round fills the page cache.
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const bare = await firstAnswer([process.execPath, '--input-type=module', '--eval', BARE])
    const tap = await firstAnswer(tapped)
    if (round > 0) times.push({ bare, tap })
  }
  const ratio = median(times.map(({ bare, tap }) => tap / bare))
  const [bare, tap] = [median(times.map((each) => each.bare)), median(times.map((each) => each.tap))]
  process.stdout.write(
    `bare Node ${bare.toFixed(1)} ms, tap ${tap.toFixed(1)} ms: ${ratio.toFixed(2)} × bare\n`,
  )
}

/** Milliseconds from the start to the first bytes of an answer. */
async function firstAnswer(words: readonly string[]): Promise<number> {
  const began = performance.now()
  const child = start(words)
  child.stdin.write(`${INITIALIZE}\n`)
  await once(child.stdout, 'data')
  const ms = performance.now() - began
  const exited = once(child, 'exit')
  child.stdin.end()
  await exited
  return ms
}

async function latency(): Promise<void> {
  const direct = await roundTrips(ECHO)
  const tap = await roundTrips(tapped)
  for (const [name, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    const [without, through] = [at(direct, share), at(tap, share)]
    const added = (through - without).toFixed(3)
    process.stdout.write(
      `${values.rate}/s ${name}: ${without.toFixed(3)} ms, tap ${through.toFixed(3)} ms, added ${added} ms\n`,
    )
  }
}

/** Round trips in milliseconds, sorted; messages go out at the rate, in groups of a millisecond. */
async function roundTrips(words: readonly string[]): Promise<Float64Array> {
  const child = start(words)
  const perTick = Number(values.rate) / 1_000
  const total = Number(values.rate) * Number(values.seconds)
  const sentAt = new Float64Array(total)
  const taken = new Float64Array(total)
  let answered = 0
  let rest = ''
  const done = Promise.withResolvers<void>()
  child.stdout.on('data', (bytes: Buffer) => {
    const now = performance.now()
    const lines = (rest + bytes.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (let index = 0; index < lines.length; index += 1) {
      taken[answered] = now - (sentAt[answered] ?? 0)
      answered += 1
    }
    if (answered === total) done.resolve()
  })
  child.stdin.write(`${INITIALIZE}\n`)
  await once(child.stdout, 'data')
  answered = 0
  const began = performance.now()
  let sent = 0
  while (sent < total) {
    const due = Math.min(total, Math.floor((performance.now() - began) * perTick))
    if (due > sent) {
      let text = ''
      const now = performance.now()
      for (; sent < due; sent += 1) {
        sentAt[sent] = now
        text += `{"jsonrpc":"2.0","id":${sent},"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"}}}\n`
      }
      child.stdin.write(text)
    }
    await new Promise(setImmediate)
  }
  await done.promise
  const exited = once(child, 'exit')
  child.stdin.end()
  await exited
  // The first second is the warm-up.
  return taken.slice(Math.min(Number(values.rate), total / 2)).sort()
}

function at(sorted: Float64Array, share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
}
