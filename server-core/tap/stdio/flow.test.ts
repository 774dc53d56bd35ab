import { PassThrough, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Flow } from './flow.ts'
import { LineCutter } from './line-cutter.ts'

const bytes = fc.uint8Array({ maxLength: 200 }).map((each) => Buffer.from(each))
/** Bytes in which lines end often, in both ways. */
const lines = fc
  .array(
    fc.oneof(
      bytes,
      fc.constantFrom('\n', '\r\n', '{"a":1,"a":2}\n', ' \n').map((text) => Buffer.from(text)),
    ),
  )
  .map((parts) => Buffer.concat(parts))

function cut(whole: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => place % (whole.length + 1)), whole.length].sort((a, b) => a - b)
  return ends.map((end, index) => whole.subarray(ends[index - 1] ?? 0, end))
}

const places = fc.array(fc.nat(), { maxLength: 8 })

it('cuts bytes into lines whatever their chunks, and loses none', () => {
  fc.assert(
    fc.property(lines, places, fc.integer({ min: 1, max: 300 }), (whole, at, bound) => {
      const found: Buffer[] = []
      const cutter = new LineCutter(bound, (line) => found.push(line))
      for (const chunk of cut(whole, at)) cutter.push(chunk)
      cutter.end()
      expect(Buffer.concat(found)).toEqual(whole)
      for (const line of found) expect(line.subarray(0, -1).includes(0x0a)).toBe(false)
    }),
  )
})

it('forwards the same bytes with and without an interceptor, also when that changes within a line', async () => {
  await fc.assert(
    fc.asyncProperty(
      lines,
      places,
      fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
      async (whole, at, on) => {
        const [source, target] = [new PassThrough(), new PassThrough()]
        const seen: Buffer[] = []
        const flow = new Flow({ source, target, observe: (each) => seen.push(each) })
        const interceptor = {
          line: (line: Buffer) => {
            flow.forward(line)
            seen.push(line)
          },
          end: () => Promise.resolve(),
        }
        const received = buffer(target)
        for (const [index, chunk] of cut(whole, at).entries()) {
          flow.intercept(on[index] === true ? interceptor : undefined)
          source.write(chunk)
          await new Promise(setImmediate)
        }
        source.end()
        expect(await received).toEqual(whole)
        expect(Buffer.concat(seen)).toEqual(whole)
      },
    ),
    { numRuns: 50 },
  )
})

it('reads no more than a target takes, and goes on when it does', async () => {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  let produced = 0
  const source = new PassThrough({ highWaterMark: chunk.length })
  const waiting: (() => void)[] = []
  const target = new Writable({
    highWaterMark: chunk.length,
    write: (_bytes, _encoding, done) => void waiting.push(done),
  })
  const flow = new Flow({ source, target, observe: () => undefined })
  for (; source.write(chunk) || produced < 2; produced += 1) await new Promise(setImmediate)
  await new Promise(setImmediate)
  expect(flow.waitingBytes).toBeLessThanOrEqual(2 * chunk.length)
  expect(source.writableNeedDrain).toBe(true)
  const drained = new Promise((resolve) => source.once('drain', resolve))
  const release = setInterval(() => waiting.splice(0).forEach((done) => done()), 1)
  await drained
  source.end()
  await flow.done
  clearInterval(release)
  expect(flow.waitingBytes).toBe(0)
})

it('closes the source when the target breaks', async () => {
  const [source, target] = [new PassThrough(), new PassThrough()]
  const flow = new Flow({ source, target, observe: () => undefined })
  const closed = new Promise((resolve) => source.once('close', resolve))
  target.destroy(new Error('EPIPE'))
  await closed
  await flow.done
  expect(source.destroyed).toBe(true)
})
