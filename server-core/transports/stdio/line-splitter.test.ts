import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TransportError } from '../../ports/contract.ts'
import { LineSplitter, withoutByteOrderMark } from './line-splitter.ts'

const split = (chunks: readonly Uint8Array[], maxBytes = 1024 * 1024): Buffer[] => {
  const lines: Buffer[] = []
  const splitter = new LineSplitter(maxBytes, (line) => lines.push(line))
  for (const chunk of chunks) splitter.push(chunk)
  splitter.end()
  return lines
}

/** Cuts bytes at the given places, empty pieces included. */
const cut = (bytes: Buffer, places: readonly number[]): Buffer[] => {
  const sorted = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b)
  return [0, ...sorted].map((from, index) => bytes.subarray(from, sorted[index] ?? bytes.length))
}

/** Bytes of a line: anything but LF, invalid UTF-8 included. */
const lineBytes = fc
  .oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.string({ unit: 'binary', maxLength: 30 }).map((text) => Buffer.from(text)),
    fc.constant(Buffer.from('\u2028{"a":"\u2029"}\ufeff')),
  )
  .map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 0x0a && byte !== 0x0d)))

describe('LineSplitter', () => {
  it('gives the same lines wherever the stream is cut and however lines end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ line: lineBytes, ending: fc.constantFrom('\n', '\r\n') }), { maxLength: 20 }),
        fc.array(fc.nat(), { maxLength: 30 }),
        (lines, places) => {
          const bytes = Buffer.concat(lines.flatMap(({ line, ending }) => [line, Buffer.from(ending)]))
          const expected = lines.map(({ line }) => line.toString('hex'))
          expect(split(cut(bytes, places)).map((line) => line.toString('hex'))).toEqual(expected)
          expect(
            split([...bytes].map((byte) => Buffer.of(byte))).map((line) => line.toString('hex')),
          ).toEqual(expected)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('splits on LF only: U+2028, U+2029, NUL and a lone CR stay inside the line', () => {
    const line = '{"text":"a\u2028b\u2029c\u0085d\0e\rf"}'
    expect(split([Buffer.from(`${line}\n`)]).map(String)).toEqual([line])
  })

  it('keeps a byte order mark for whoever records the line, and says how to drop it', () => {
    const [line] = split([Buffer.from('\ufeff{}\r\n')])
    expect(line?.toString('hex')).toBe('efbbbf7b7d')
    expect(Buffer.from(withoutByteOrderMark(line ?? Buffer.alloc(0))).toString()).toBe('{}')
    expect(Buffer.from(withoutByteOrderMark(Buffer.from('{}'))).toString()).toBe('{}')
  })

  it('gives out a last line without an ending, and empty lines', () => {
    expect(split([Buffer.from('a\n\n\r\nb')]).map(String)).toEqual(['a', '', '', 'b'])
    expect(split([Buffer.from('a\n')]).map(String)).toEqual(['a'])
  })

  it('joins a 10 MB line that comes in pieces', () => {
    const line = Buffer.alloc(10 * 1024 * 1024, 'x')
    const chunks: Buffer[] = []
    for (let at = 0; at < line.length; at += 65_536) chunks.push(line.subarray(at, at + 65_536))
    const lines = split([...chunks, Buffer.from('\n{}\n')], 16 * 1024 * 1024)
    expect(lines.map((each) => each.length)).toEqual([line.length, 2])
    expect(lines[0]?.equals(line)).toBe(true)
  })

  it('refuses a line over the bound, exactly, whether it ends or not', () => {
    expect(split([Buffer.from('12345678\r\n')], 8).map(String)).toEqual(['12345678'])
    const tooLong = ['123456789\n', '123456789\r\n', '1234567890']
    for (const text of tooLong) {
      expect(() => split([Buffer.from(text)], 8)).toThrow(TransportError)
      expect(() =>
        split(
          [...text].map((char) => Buffer.from(char)),
          8,
        ),
      ).toThrow(/longer than 8 bytes \(limit messageBytes\)/)
    }
  })
})
