import { expect, test } from 'vitest'
import { ForwardedStderr } from './forwarded-stderr.ts'

function stderr(text: string) {
  return { kind: 'stderr', direction: 'received', bytes: new TextEncoder().encode(text) } as const
}

test('whole lines are written from the connection on, with those that came before it', () => {
  const lines: string[] = []
  const forwarded = new ForwardedStderr((line) => lines.push(line))
  forwarded.tap.record(stderr('first\nsec'))
  expect(lines).toEqual([])
  forwarded.connected()
  expect(lines).toEqual(['first'])
  forwarded.tap.record(stderr('ond\nlast'))
  expect(lines).toEqual(['first', 'second'])
  forwarded.end()
  expect(lines).toEqual(['first', 'second', 'last'])
})

test('nothing is written of a process that was never connected', () => {
  const lines: string[] = []
  const forwarded = new ForwardedStderr((line) => lines.push(line))
  forwarded.tap.record(stderr('failed\n'))
  forwarded.end()
  expect(lines).toEqual([])
})
