/**
 * `npm run bench:cold`: from the start of a process to its first answer over stdio, beside bare Node; and a one-shot
 * `patchbay call` against that server, with what it takes beyond the server's own start.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildParts } from '../server-core/launcher/build-parts.ts'
import { CLI_PARTS, partNamed } from '../server-core/launcher/parts.ts'
import { INITIALIZE } from './calls.ts'
import { median } from './median.ts'

const root = path.resolve(import.meta.dirname, '..')
/** Answers whatever comes first. */
const BARE = `process.stdin.once('data', () => process.stdout.write('{"jsonrpc":"2.0","id":0,"result":{}}\\n'))`

const PATCHBAY = path.join(root, 'dist/cli/patchbay.js')
const SERVER = [PATCHBAY, 'serve', '--stdio']

const PROGRAMS = [
  { name: 'bare', words: ['--input-type=module', '--eval', BARE] },
  { name: 'ours', words: SERVER },
  { name: 'call', words: [PATCHBAY, 'call', 'list_notes', '--', process.execPath, ...SERVER] },
]

/** Milliseconds from the start to the first bytes of an answer. */
async function start(words: readonly string[]): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.write(`${INITIALIZE}\n`)
  await once(child.stdout, 'data')
  const ms = performance.now() - began
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  return ms
}

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } })
const parts = CLI_PARTS.flatMap((name) => partNamed(name) ?? [])
for (const outcome of await buildParts(root, parts)) {
  if (outcome.state === 'failed') throw new Error(outcome.message)
}
const times = PROGRAMS.map(({ name, words }) => ({ name, words, ms: [] as number[] }))
// The first round fills the page cache.
for (let round = 0; round <= Number(values.rounds); round += 1) {
  for (const { words, ms } of times) {
    const taken = await start(words)
    if (round > 0) ms.push(taken)
  }
}
const [bare, server, call] = times
for (const { name, ms } of times) {
  const ratio = median(ms.map((each, round) => each / (bare?.ms[round] ?? Number.NaN)))
  process.stdout.write(`${name.padEnd(6)} ${median(ms).toFixed(1)} ms  ${ratio.toFixed(2)} × bare\n`)
}
const own = median((call?.ms ?? []).map((each, round) => each - (server?.ms[round] ?? Number.NaN)))
process.stdout.write(`call without the server's own start: ${own.toFixed(1)} ms\n`)
