import { expect, it } from 'vitest'
import { withNewId } from './new-id.ts'

it('gives a request another id, and changes nothing else', () => {
  expect(withNewId('{"jsonrpc":"2.0", "id": 7 ,"method":"ping","n":1.0}', 'a')).toBe(
    '{"jsonrpc":"2.0", "id": "a" ,"method":"ping","n":1.0}',
  )
  for (const text of ['{"id":1,"result":{}}', '{"method":"notifications/x"}', '{"id":1,"method"', '[1]'])
    expect(withNewId(text, 'a')).toBe(text)
})
