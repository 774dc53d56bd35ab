import { expect, it } from 'vitest'
import { malformed, withWrongId } from './broken-bytes.ts'

const bytes = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"n":12345678901234567890}}')

function changed(message: unknown): unknown {
  const text = typeof message === 'string' ? message : JSON.stringify(message)
  const result = withWrongId(Buffer.from(text))
  return result === undefined ? undefined : Buffer.from(result).toString()
}

it('breaks a message in each way', () => {
  expect(Buffer.from(malformed(bytes, 'truncate')).toString()).toBe(
    bytes.subarray(0, Math.floor(bytes.length * 0.75)).toString(),
  )
  expect(Buffer.from(malformed(bytes, 'not-json')).toString()).toContain('This is not JSON')
  const broken = malformed(bytes, 'invalid-utf8')
  expect(() => new TextDecoder('utf-8', { fatal: true }).decode(broken)).toThrow()
  expect([broken[0], broken.at(-1)]).toEqual([bytes[0], bytes.at(-1)])
})

it('changes the id of an answer alone, and no digit of its numbers', () => {
  expect(changed(bytes.toString())).toBe('{"jsonrpc":"2.0","id":1000004,"result":{"n":12345678901234567890}}')
  expect(changed({ jsonrpc: '2.0', id: 'a', error: { code: 1, message: 'x' } })).toContain('"id":"a-wrong"')
})

it('changes the answers of an array, and no other message of it', () => {
  const notice = { jsonrpc: '2.0', method: 'notifications/message' }
  const answers = [1, 'a'].map((id) => ({ jsonrpc: '2.0', id, result: {} }))
  const wrong = [1_000_004, 'a-wrong'].map((id) => ({ jsonrpc: '2.0', id, result: {} }))
  expect(JSON.parse(String(changed([notice, ...answers])))).toEqual([notice, ...wrong])
})

it('leaves messages that are not answers', () => {
  expect(changed({ jsonrpc: '2.0', id: 1, method: 'ping' })).toBeUndefined()
  expect(changed([{ jsonrpc: '2.0', method: 'notifications/message' }])).toBeUndefined()
})
