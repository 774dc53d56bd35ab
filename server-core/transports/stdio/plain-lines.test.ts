import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { parseFromClient } from '../../protocol/parse.ts'
import { LineSplitter, withoutByteOrderMark } from './line-splitter.ts'
import { PlainLines } from './plain-lines.ts'

/** What reading line by line gives: the values, and what is left behind the last line. */
function oneByOne(chunk: Buffer): {
  readonly values: unknown[]
  readonly isPlain: boolean
  readonly left: number
} {
  const values: unknown[] = []
  let isPlain = true
  const splitter = new LineSplitter(DEFAULT_LIMITS.messageBytes, (line) => {
    const parsed = parseFromClient(withoutByteOrderMark(line), DEFAULT_LIMITS)
    if (parsed.ok) values.push(parsed.value)
    else isPlain = false
  })
  splitter.push(chunk)
  return { values, isPlain, left: splitter.pendingBytes }
}

const line = fc.oneof(
  { weight: 8, arbitrary: fc.json({ maxDepth: 3 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '{', '{},{}', '\r', '{"a":1}\r', '\uFEFF1', '"ü"', ' 1 ', '\u0000'),
  },
  { weight: 1, arbitrary: fc.constant('['.repeat(300) + ']'.repeat(300)) },
)

test('reads what reading line by line would read, up to the first line that is not plain', () => {
  let read = 0
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 8 }),
      line,
      fc.integer({ min: 1, max: 9 }),
      (lines, last, most) => {
        const chunk = Buffer.from(lines.map((each) => `${each}\n`).join('') + last)
        const { values, ends } = PlainLines.of(chunk, DEFAULT_LIMITS)?.parse(0, most) ?? {
          values: [],
          ends: [],
        }
        read += values.length
        expect(values.length).toBeLessThanOrEqual(most)
        const whole = oneByOne(chunk.subarray(0, (ends.at(-1) ?? -1) + 1))
        expect(whole).toEqual({ values, isPlain: true, left: 0 })
        const starts = [0, ...ends.map((end) => end + 1)]
        const texts = ends.map((end, index) => chunk.toString('latin1', starts[index], end))
        expect(texts.map((text) => JSON.parse(text) as unknown)).toEqual(values)
      },
    ),
    { numRuns: 500 },
  )
  expect(read).toBeGreaterThan(100)
})

test('goes on where it stopped, and leaves what may be beyond a bound to who counts', () => {
  const chunk = Buffer.from('{"id":1}\n[[[1]]]\n{"id":2')
  const lines = PlainLines.of(chunk, DEFAULT_LIMITS)
  expect(lines?.parse(0, 1)).toEqual({ values: [{ id: 1 }], ends: [8] })
  expect(lines?.parse(9, 5)).toEqual({ values: [[[[1]]]], ends: [16] })
  expect(lines?.parse(17, 5)).toEqual({ values: [], ends: [] })
  for (const tighter of [{ messageBytes: 7 }, { depth: 3 }, { members: 7 }, { keys: 7 }]) {
    expect(PlainLines.of(chunk, { ...DEFAULT_LIMITS, ...tighter })?.parse(0, 5).values).toEqual([])
  }
})
