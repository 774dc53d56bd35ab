import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { LineSplitter } from '../server-core/transports/stdio/line-splitter.ts'
import { INITIALIZE, messageOf, type Ask, type Era } from './calls.ts'
import type { Load } from './http-load.ts'

const MOST_BYTES = 8 * 1024 * 1024

/** Opens a session on a target's pipes where the era has one; the load keeps `inFlight` requests under way. */
export async function openStdioLoad(
  { stdin, stdout }: ChildProcess,
  era: Era,
  ask: Ask,
  inFlight: number,
): Promise<Load> {
  if (stdin === null || stdout === null) throw new Error('the target has no pipes')
  if (era === 'legacy') {
    const answered = once(stdout, 'data')
    stdin.write(`${INITIALIZE}\n`)
    await answered
  }
  // Ids take turns: an answer frees one.
  const requests = Array.from({ length: inFlight }, (_, id) => `${messageOf(era, id + 1, ask)}\n`)
  return (windowMs) =>
    new Promise((resolve, reject) => {
      const until = performance.now() + windowMs
      let calls = 0
      let open = inFlight
      let next = ''
      const splitter = new LineSplitter(MOST_BYTES, (line) => {
        if (!ask.isAnswered(line)) reject(new Error(`the answer is ${line.toString().slice(0, 300)}`))
        calls += 1
        if (performance.now() >= until) open -= 1
        else next += requests[idOf(line) - 1] ?? ''
      })
      const read = (chunk: Buffer) => {
        splitter.push(chunk)
        if (next !== '') stdin.write(next)
        next = ''
        if (open > 0) return
        stdout.off('data', read)
        resolve(calls)
      }
      stdout.on('data', read)
      stdin.write(requests.join(''))
    })
}

/** Ids come before results in all that is measured. */
function idOf(line: Buffer): number {
  return Number(
    /"id":(\d+)/.exec(line.toString('latin1', 0, 64))?.[1] ??
      /"id":(\d+)\}$/.exec(line.toString('latin1', line.length - 32))?.[1],
  )
}
