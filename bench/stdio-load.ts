import type { ChildProcess } from 'node:child_process'
import { LineSplitter } from '../server-core/transports/line-splitter.ts'
import { addCall } from './calls.ts'

/** Keeps `inFlight` calls under way on a target's pipes for `windowMs`, and gives how many were answered. */
export function loadStdio(target: ChildProcess, inFlight: number, windowMs: number): Promise<number> {
  const { stdin, stdout } = target
  if (stdin === null || stdout === null) throw new Error('the target has no pipes')
  return new Promise((resolve, reject) => {
    const until = performance.now() + windowMs
    let calls = 0
    let open = inFlight
    let next = ''
    const splitter = new LineSplitter(1_000_000, (line) => {
      if (!line.includes('"42"')) reject(new Error(`expected 42, got ${line.toString()}`))
      calls += 1
      if (performance.now() < until) next += `${addCall('modern', calls + inFlight)}\n`
      else open -= 1
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
    stdin.write(Array.from({ length: inFlight }, (_, id) => `${addCall('modern', id + 1)}\n`).join(''))
  })
}
