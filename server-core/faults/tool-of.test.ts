import { expect, it } from 'vitest'
import { idKeyOf, toolOf } from './tool-of.ts'

const call = (name: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } })

it.each([
  ['the tool of a call', call('slow'), 'slow'],
  ['the only tool of an array', [call('slow'), { jsonrpc: '2.0', id: 2, method: 'ping' }], 'slow'],
  ['none of an array with two', [call('slow'), call('quick')], undefined],
  [
    'none of another method',
    { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'slow' } },
    undefined,
  ],
  ['none where the name is a number', call(7), undefined],
  ['none of a text', 'tools/call', undefined],
])('finds %s', (_what, message, tool) => {
  expect(toolOf(message)).toBe(tool)
})

it('has different keys for ids of different types', () => {
  expect(idKeyOf({ id: 1 })).toBe(idKeyOf({ id: 1 }))
  expect(idKeyOf({ id: 1 })).not.toBe(idKeyOf({ id: '1' }))
  expect([idKeyOf({ id: null }), idKeyOf({}), idKeyOf([])]).toEqual([undefined, undefined, undefined])
})
