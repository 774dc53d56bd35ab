import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SUPPORTED } from '../revisions.ts'
import { DEFINITIONS } from './definitions.ts'
import { pathText, wireFault } from './fault.ts'
import { wireSchema } from './schemas.ts'

const told = (name: string, value: unknown): string => {
  const fault = wireFault('2025-11-25', name, value)
  return fault === undefined ? 'fits' : `${pathText(fault.path)}: ${fault.message}`
}

it('names the first place that does not fit, and what was expected there', () => {
  const tool = { name: 'a', inputSchema: { type: 'object' } }
  expect(told('Tool', { ...tool, more: 1 })).toBe('fits')
  expect(told('Tool', { ...tool, name: 1 })).toBe('name: expected a string, got a value of type number')
  expect(told('Tool', { name: 'a' })).toBe('inputSchema: expected an object, got nothing')
  expect(told('Tool', { ...tool, inputSchema: { type: 'array' } })).toBe(
    'inputSchema.type: expected "object", got "array"',
  )
  expect(told('Tool', { ...tool, inputSchema: { type: 'object', required: ['a', 2] } })).toBe(
    'inputSchema.required[1]: expected a string, got a value of type number',
  )
  expect(told('CreateMessageResult', { role: 'assistant', model: 'm', content: { type: 'text' } })).toBe(
    'content.text: expected a string, got nothing',
  )
  expect(told('SamplingMessage', { role: 'user', content: { type: 'video' } })).toMatch(/^content/)
  expect(told('NoSuchThing', 1)).toBe('fits')
})

/** Values that look like parts of messages: known names, known tags, and whatever else. */
const WORDS = ['type', 'object', 'text', 'name', 'uri', 'role', 'user', 'accept', 'content', 'data', 'form']
const likely: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...WORDS),
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom(...WORDS, 'inputSchema', 'mimeType', 'model', 'messages'), fc.string()),
      tie('value'),
      { maxKeys: 6 },
    ),
  ),
})).value

it.each(SUPPORTED)('agrees with the schemas of %s', (revision) => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(DEFINITIONS)), likely, (name, value) => {
      const schema = wireSchema(revision, name)
      if (schema === undefined) return
      expect(wireFault(revision, name, value) === undefined).toBe(schema.safeParse(value).success)
    }),
    { numRuns: 1_000 },
  )
})
