import { expect, test } from 'vitest'
import { hintOf, withHint } from './entry-hints.ts'

test('a hint is set, turned round and left to the source again, and other annotations stay', () => {
  const set = withHint({ audience: ['user'] }, 'readOnlyHint', 'false')
  expect(set).toEqual({ audience: ['user'], readOnlyHint: false })
  expect(hintOf(set, 'readOnlyHint')).toBe('false')
  expect(hintOf(set, 'destructiveHint')).toBe('source')
  expect(withHint(set, 'readOnlyHint', 'source')).toEqual({ audience: ['user'] })
  expect(withHint({ readOnlyHint: true }, 'readOnlyHint', 'source')).toBeUndefined()
})
