import { expect, it } from 'vitest'
import { TransportError } from './contract.ts'
import { encodeMessage } from './encode-message.ts'

const message = { jsonrpc: '2.0', method: 'notifications/message', params: { data: 'größer ⟨1⟩' } } as const
const bytes = Buffer.from(JSON.stringify(message))

it('encodes a message that is exactly as long as the limit, counted in bytes', () => {
  expect(encodeMessage(message, { messageBytes: bytes.length })).toEqual(bytes)
  expect(bytes.length).toBeGreaterThan(JSON.stringify(message).length)
})

it('refuses a message that is one byte longer, with both numbers', () => {
  const encode = () => encodeMessage(message, { messageBytes: bytes.length - 1 })
  expect(encode).toThrow(TransportError)
  expect(encode).toThrow(
    `the message has ${bytes.length} bytes; at most ${bytes.length - 1} are sent (limit messageBytes)`,
  )
  expect(encode).toThrow(expect.objectContaining({ code: 'limit' }))
})
