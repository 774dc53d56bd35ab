import { expect, it } from 'vitest'
import { headersText, readHeaderLines } from './header-lines.ts'

it('reads headers one a line and writes them back', () => {
  const text = 'X-One: a: b\nauthorization:Bearer x\n\n  x-empty:'
  expect(readHeaderLines(text)).toEqual({
    ok: true,
    value: { 'X-One': 'a: b', authorization: 'Bearer x', 'x-empty': '' },
  })
  expect(headersText({ a: '1', b: '2' })).toBe('a: 1\nb: 2')
})

it.each(['no colon', ': value', 'two words: x'])('rejects %j', (line) => {
  expect(readHeaderLines(`a: 1\n${line}`)).toMatchObject({
    ok: false,
    reason: expect.stringContaining(line.trim()) as unknown,
  })
})
