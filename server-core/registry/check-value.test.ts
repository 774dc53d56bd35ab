import { expect, it } from 'vitest'
import { checkValue } from './schema.ts'

it('gives up a pattern that goes astray on a text, and checks on', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
  expect(await checkValue(schema, { a: `${'a'.repeat(40)}!` })).toEqual({
    ok: false,
    reason: 'checking it took longer than 250 ms and was given up',
  })
  expect(await checkValue(schema, { a: 'aaa' })).toEqual({ ok: true, value: { a: 'aaa' } })
})
