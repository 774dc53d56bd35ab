import { expect, test } from 'vitest'
import { compareCalls, type ComparedCall } from './compare-calls.ts'
import type { RecordedCall } from './recorded-calls.ts'

function call(target: string, asked: unknown, answer: unknown): RecordedCall {
  return {
    frame: 0,
    at: 0,
    kind: 'request',
    direction: 'sent',
    method: 'tools/call',
    target,
    params: { name: target, arguments: asked },
    outcome: { type: 'result', value: answer },
    key: `sent tools/call ${target} ${JSON.stringify(asked)}`,
  }
}

const told = (compared: readonly ComparedCall[]): readonly string[] =>
  compared.map((each) => {
    if (each.type === 'before') return `- ${each.before.target}`
    if (each.type === 'after') return `+ ${each.after.target}`
    const pointers = each.comparison.changes.map(({ pointer }) => pointer).join()
    return `${each.moved ? '>' : '='} ${each.after.target} ${pointers}`.trim()
  })

test('calls that ask the same belong together, also in another order', () => {
  const before = [call('a', 1, 'x'), call('b', 1, 'y'), call('c', 1, 'z')]
  const after = [call('c', 1, 'z'), call('a', 1, 'x'), call('b', 1, 'other')]
  expect(told(compareCalls(before, after))).toEqual(['> c', '= a', '= b /result'])
})

test('of the others, those to the same target belong together, and their arguments changed', () => {
  const before = [call('a', 1, 'x'), call('b', 1, 'y'), call('gone', 1, 'z'), call('d', 1, 'w')]
  const after = [call('a', 1, 'x'), call('b', 2, 'y'), call('new', 1, 'z'), call('d', 1, 'w')]
  expect(told(compareCalls(before, after))).toEqual([
    '= a',
    '= b /params/arguments',
    '+ new',
    '- gone',
    '= d',
  ])
})

test('the same call made twice is two calls', () => {
  const before = [call('a', 1, 'x'), call('a', 1, 'y')]
  expect(told(compareCalls(before, [call('a', 1, 'x')]))).toEqual(['= a', '- a'])
  expect(told(compareCalls(before, before))).toEqual(['= a', '= a'])
  expect(told(compareCalls([], []))).toEqual([])
})
