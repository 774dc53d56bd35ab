import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeSseComment, encodeSseEvent, SseParser, type SseEvent } from './sse-codec.ts'

type Seen = { name: string; data?: string; id?: string; retry?: number }

const seen = ({ data, ...event }: SseEvent): Seen => ({
  ...event,
  ...(data === undefined ? {} : { data: data.toString('hex') }),
})
const parse = (chunks: readonly Uint8Array[], maxBytes = 1024 * 1024): Seen[] => {
  const events: Seen[] = []
  const parser = new SseParser(maxBytes, (event) => events.push(seen(event)))
  for (const chunk of chunks) parser.push(chunk)
  return events
}
const parseText = (text: string): Seen[] => parse([Buffer.from(text)])
const hex = (text: string): string => Buffer.from(text).toString('hex')

const cut = (bytes: Buffer, places: readonly number[]): Buffer[] => {
  const sorted = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b)
  return [0, ...sorted].map((from, index) => bytes.subarray(from, sorted[index] ?? bytes.length))
}

describe('SseParser', () => {
  it('gives the same events for any chunking of any bytes', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '\r',
        '\n',
        '\r\n',
        '\n\n',
        '\r\r',
        ':',
        ': ping\n',
        'data',
        'data:',
        'data: ',
        'id: 7\n',
        'id:a\0b\n',
      ),
      fc.constantFrom('retry: 100\n', 'retry: 1x\n', 'event: end\n', '\ufeff', 'é€😀', '\u2028', ' '),
      fc.string(),
    )
    const bytes = fc
      .array(
        fc.oneof(
          piece.map((part) => Buffer.from(part)),
          fc.uint8Array({ maxLength: 4 }),
        ),
        { maxLength: 40 },
      )
      .map((parts) => Buffer.concat(parts))
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(), { maxLength: 20 }), (stream, places) => {
        const whole = parse([stream])
        expect(parse(cut(stream, places))).toEqual(whole)
        expect(parse([...stream].map((byte) => Buffer.of(byte)))).toEqual(whole)
      }),
      { numRuns: 1_000 },
    )
  })

  it('reads back what the encoder wrote, whatever the bytes of the data', () => {
    const oneLine = fc
      .string({ unit: 'binary' })
      .filter((text) => text.isWellFormed() && !/[\r\n\0]/.test(text))
    const fields = fc.record(
      {
        data: fc.uint8Array({ maxLength: 80 }).map((data) => Buffer.from(data)),
        name: oneLine.filter((name) => name !== ''),
        id: oneLine,
        retry: fc.nat({ max: 1_000_000_000 }),
      },
      { requiredKeys: ['data'] },
    )
    fc.assert(
      fc.property(
        fc.array(fields, { maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        (events, places) => {
          const stream = Buffer.concat(
            events.flatMap((event) => [encodeSseEvent(event), encodeSseComment('quiet')]),
          )
          const expected = events.map((event) => ({
            ...event,
            name: event.name ?? 'message',
            // The format has one line break; CR and CRLF read back as LF.
            data: Buffer.from(event.data.toString('latin1').replaceAll(/\r\n|\r/g, '\n'), 'latin1').toString(
              'hex',
            ),
          }))
          expect(parse(cut(stream, places))).toEqual(expected)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('takes CR, LF and CRLF as line ends, mixed and split between chunks', () => {
    const expected = [
      { name: 'message', data: hex('a\nb') },
      { name: 'message', data: hex('c') },
    ]
    for (const text of ['data: a\ndata: b\n\ndata: c\n\n', 'data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n']) {
      expect(parseText(text)).toEqual(expected)
    }
    expect(parseText('data: a\rdata: b\r\rdata: c\n\r')).toEqual(expected)
    expect(
      parse([Buffer.from('data: a\r'), Buffer.from('\ndata: b\r'), Buffer.from('\n\r\ndata: c\r\r')]),
    ).toEqual(expected)
  })

  it('gives an event at its empty line even if that line is a CR at the end of a chunk', () => {
    expect(parse([Buffer.from('data: a\r\r')])).toEqual([{ name: 'message', data: hex('a') }])
  })

  it('drops one byte order mark at the start and none later', () => {
    expect(parseText('\ufeffdata: a\n\n')).toEqual([{ name: 'message', data: hex('a') }])
    expect(
      parse([Buffer.of(0xef), Buffer.of(0xbb), Buffer.of(0xbf), Buffer.from('data: a\n\n')]),
    ).toHaveLength(1)
    expect(parseText('\n\ufeffdata: a\n\n')).toEqual([])
  })

  it('drops one space after the colon, takes a field without a colon as empty', () => {
    expect(parseText('data:  two\n\n')).toEqual([{ name: 'message', data: hex(' two') }])
    expect(parseText('data\n\n')).toEqual([{ name: 'message', data: '' }])
    expect(parseText('data\ndata\n\n')).toEqual([{ name: 'message', data: hex('\n') }])
  })

  it('gives a priming event (id and empty data) and blocks that only set id or retry', () => {
    expect(parseText('id: 1\nretry: 500\ndata:\n\n')).toEqual([
      { name: 'message', data: '', id: '1', retry: 500 },
    ])
    expect(parseText('id: 2\n\n')).toEqual([{ name: 'message', id: '2' }])
    expect(parseText('retry: 20\n\n')).toEqual([{ name: 'message', retry: 20 }])
    expect(parseText('id\n\n')).toEqual([{ name: 'message', id: '' }])
  })

  it('ignores comments, unknown fields, ids with NUL and retry values that are not numbers', () => {
    expect(parseText(': hello\n\n:\n\nfoo: bar\n\nretry: 1.5\n\nid: a\0b\n\n')).toEqual([])
    expect(parseText('event: ping\nretry: soon\n\n')).toEqual([{ name: 'ping' }])
  })

  it('keeps invalid UTF-8 and U+2028 in the data as they came', () => {
    const bytes = Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0xc3, 0xe2, 0x80, 0xa8, 0x0a, 0x0a])
    expect(parse([bytes])).toEqual([{ name: 'message', data: 'ffc3e280a8' }])
  })

  it('does not give out an event whose empty line never came, but reports that it was there', () => {
    const events: SseEvent[] = []
    const parser = new SseParser(100, (event) => events.push(event))
    parser.push(Buffer.from('data: a\n\ndata: cut'))
    expect(events).toHaveLength(1)
    expect(parser.end()?.data?.toString()).toBe('cut')
    expect(events).toHaveLength(1)
    expect(parser.end()).toBeUndefined()
  })

  it('reads a 10 MB event in pieces', () => {
    const data = Buffer.alloc(10 * 1024 * 1024, 'é')
    const stream = encodeSseEvent({ data })
    const chunks: Buffer[] = []
    for (let at = 0; at < stream.length; at += 65_536) chunks.push(stream.subarray(at, at + 65_536))
    let got: Buffer | undefined
    const parser = new SseParser(16 * 1024 * 1024, (event) => (got = event.data))
    for (const chunk of chunks) parser.push(chunk)
    expect(got?.equals(data)).toBe(true)
  })

  it('refuses an event over the bound, in one line, in many, or without end', () => {
    expect(parse([Buffer.from('data: 12345678\n\n')], 8)).toHaveLength(1)
    for (const text of ['data: 123456789\n\n', 'data: 1234\ndata: 5678\n\n', `data: ${'x'.repeat(100)}`]) {
      expect(() => parse([Buffer.from(text)], 8)).toThrow(/longer than 8 bytes \(limit messageBytes\)/)
      expect(() =>
        parse(
          [...text].map((char) => Buffer.from(char)),
          8,
        ),
      ).toThrow(/longer than 8 bytes/)
    }
  })
})

describe('encodeSseEvent', () => {
  it('writes JSON as one data line, after name, id and retry', () => {
    const event = encodeSseEvent({ name: 'message', id: 'a-1', retry: 500, data: '{"a":"b"}' })
    expect(event.toString()).toBe('event: message\nid: a-1\nretry: 500\ndata: {"a":"b"}\n\n')
    expect(encodeSseEvent({ id: '1', data: '' }).toString()).toBe('id: 1\ndata: \n\n')
  })

  it('refuses what would break the framing', () => {
    expect(() => encodeSseEvent({ id: 'a\nb', data: '' })).toThrow(RangeError)
    expect(() => encodeSseEvent({ name: 'a\rb', data: '' })).toThrow(RangeError)
    expect(() => encodeSseEvent({ retry: -1 })).toThrow(RangeError)
    expect(() => encodeSseComment('a\nb')).toThrow(RangeError)
  })
})
