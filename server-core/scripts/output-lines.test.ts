import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { OutputLines } from './output-lines.ts'

type Told = { readonly stream: string; readonly text: string }

function linesOf(bytesPerSecond: number): { readonly lines: OutputLines; readonly told: Told[] } {
  const told: Told[] = []
  return { lines: new OutputLines(bytesPerSecond, (line) => told.push(line)), told }
}

it('makes the same lines of texts as of their bytes, however they are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
      const [one, other] = [linesOf(1_000_000), linesOf(1_000_000)]
      for (const text of texts) {
        one.lines.takeText('stdout', text)
        other.lines.take('stdout', Buffer.from(text))
      }
      one.lines.flush()
      other.lines.flush()
      expect(one.told).toEqual(other.told)
      expect(one.told.map(({ text }) => text).join('\n')).toBe(
        texts.join('').replace(/\n$/, '').replaceAll('\r\n', '\n').replace(/\r$/, ''),
      )
    }),
  )
})

it.each([
  ['texts', (lines: OutputLines, text: string) => lines.takeText('stdout', text)],
  ['bytes', (lines: OutputLines, text: string) => lines.take('stdout', Buffer.from(text))],
] as const)('prints of %s what its budget allows, and how much is not shown', (_what, take) => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  try {
    const { lines, told } = linesOf(10)
    take(lines, '1234\n')
    take(lines, '678\néé\n')
    take(lines, 'more\n')
    expect(told.map(({ text }) => text)).toEqual(['1234', '678'])
    vi.advanceTimersByTime(1_000)
    const dropped = expect.stringMatching(
      /^\((9|10) more bytes were printed and are not shown: 10 a second are\)$/,
    )
    expect(told.at(-1)).toEqual({ stream: 'stderr', text: dropped })
    take(lines, '\nagain\n')
    expect(told.at(-1)?.text).toBe('again')
  } finally {
    vi.useRealTimers()
  }
})
