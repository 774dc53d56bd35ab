import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../protocol/json.ts'
import { encodeResult, idNotificationEncoder } from './encode.ts'

const block = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string({ unit: 'binary' }) }),
  fc.record({ type: fc.constantFrom('text', 'x'), text: fc.constantFrom('', 1), more: fc.jsonValue() }),
  fc.record({ type: fc.constant('text'), text: fc.constant('a'), toJSON: fc.constant(() => 'b') }),
  fc.jsonValue(),
)
const result: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ content: fc.array(block, { maxLength: 2 }) }),
  fc.record({ content: fc.tuple(block), isError: fc.boolean() }),
  fc.dictionary(fc.string(), fc.jsonValue()),
)

test('writes any result, with members that were written before at its end', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer(), fc.string()), result, fc.boolean(), (id, value, hasTail) => {
      const text = encodeResult(id, value, hasTail ? ',"resultType":"complete","_meta":{"a":[1]}' : undefined)
      const kept = JSON.parse(JSON.stringify(value)) as JsonObject
      const tail = hasTail ? { resultType: 'complete', _meta: { a: [1] } } : {}
      expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', id, result: { ...kept, ...tail } })
    }),
  )
})

test('writes a notification for many, each with an id of its own', () => {
  const params = fc.dictionary(fc.oneof(fc.string(), fc.constant('_meta')), fc.jsonValue())
  fc.assert(
    fc.property(params, fc.string(), fc.array(fc.oneof(fc.integer(), fc.string())), (given, key, ids) => {
      const encode = idNotificationEncoder('notifications/x', given, key)
      for (const id of ids) {
        const kept = JSON.parse(JSON.stringify(given)) as JsonObject
        expect(JSON.parse(encode(id).toString())).toEqual({
          jsonrpc: '2.0',
          method: 'notifications/x',
          params: { ...kept, _meta: { [key]: id } },
        })
      }
    }),
  )
})
