import { expect, test } from 'vitest'
import { createBuiltInNotes } from './built-in-notes.ts'
import { requireServedNames } from './serve-scopes.ts'

test('scopes are required for what is served alone', () => {
  const registry = createBuiltInNotes()
  requireServedNames(undefined, registry)
  requireServedNames({ server: ['a'], tools: { create_note: ['write'] } }, registry)
  expect(() => {
    requireServedNames({ tools: { 'create-notes': ['write'] } }, registry)
  }).toThrow(
    /requiredScopes\.tools: there is no "create-notes"; did you mean "create_note"\? The tools are .*search_notes/,
  )
  expect(() => {
    requireServedNames({ prompts: { constructor: ['read'] } }, registry)
  }).toThrow(/requiredScopes\.prompts: there is no "constructor"; The prompts are summarise/)
})
