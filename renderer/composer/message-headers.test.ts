import { expect, it } from 'vitest'
import { messageHeaders } from './message-headers.ts'

const MODERN = '2026-07-28'
const headersOf = (method: string, params: object, revision = MODERN): object =>
  messageHeaders(JSON.stringify({ method, params }), revision)

it.each([
  ['tools/call', { name: 'echo' }, 'echo'],
  ['prompts/get', { name: 'greet' }, 'greet'],
  ['resources/read', { uri: 'demo://a', name: 'other' }, 'demo://a'],
  ['tasks/get', { taskId: 't1' }, 't1'],
])('repeats the name of %s', (method, params, name) => {
  expect(headersOf(method, params)).toEqual({ 'Mcp-Method': method, 'Mcp-Name': name })
})

it('repeats no name where the method has none, and nothing in older revisions or unfinished JSON', () => {
  expect(headersOf('tools/list', { name: 'x' })).toEqual({ 'Mcp-Method': 'tools/list' })
  expect(headersOf('tools/call', { name: 'echo' }, '2025-11-25')).toEqual({})
  expect(messageHeaders('{"method":', MODERN)).toEqual({})
  expect(messageHeaders('[]', MODERN)).toEqual({})
})
