import { expect, it } from 'vitest'
import { namesOpening, stderrReason } from './stderr-reason.ts'

it.each([
  ['Error: boom\n    at main (x.js:1:1)\n\nNode.js v24.1.0\n', 'Error: boom'],
  [
    'Traceback (most recent call last):\n  File "x.py"\nModuleNotFoundError: No module named x\n',
    'ModuleNotFoundError: No module named x',
  ],
  ['starting\nno token\n', 'no token'],
  ['panic: runtime error\n\ngoroutine 1 [running]:\n', 'panic: runtime error'],
  [' \n', undefined],
  [undefined, undefined],
])('%j is explained by %j', (stderr, reason) => {
  expect(stderrReason(stderr)).toBe(reason)
})

it('shortens a line without end', () => {
  expect(stderrReason(`Error: ${'x'.repeat(1_000)}`)).toHaveLength(201)
})

it('knows what servers say of a message that they did not expect', () => {
  expect(namesOpening('Error: ExpectedInitializeRequest: expect initialized request')).toBe(true)
  expect(namesOpening('ValidationError: method "server/discover"')).toBe(true)
  expect(namesOpening('Error: no token')).toBe(false)
})
