import { expect, test } from 'vitest'
import { argumentNamesHint, checkArgumentNames, promptSchema } from './argument-names.ts'

const properties = { name: { type: 'string' }, style: { type: 'string' } }
const check = (names: readonly string[], schema: object, given = names) =>
  checkArgumentNames(names, given, { what: 'tool', schema: { properties, ...schema } })

test.each([
  [{ additionalProperties: false }, 'the tool takes no argument "nmae"; did you mean name?'],
  [{ required: ['name'] }, 'the tool takes no argument "nmae"; did you mean name? It requires name.'],
  [{ required: ['name'], additionalProperties: true }, 'did you mean name? It requires name.'],
])('a misspelt name is an error where the call would fail: %j', (schema, message) => {
  expect(() => check(['nmae'], schema)).toThrow(message)
})

test('else it is a warning, and the argument is sent', () => {
  expect(check(['nmae'], {})).toEqual([
    'the tool takes no argument "nmae"; did you mean name? It is sent all the same.',
  ])
  expect(check(['other'], {})).toEqual([
    'the tool takes no argument "other"; it takes name, style. It is sent all the same.',
  ])
  // Required, and given beside it.
  expect(check(['stile'], { required: ['name'] }, ['stile', 'name'])).toHaveLength(1)
})

test.each([
  [['name', 'style'], {}],
  [['other'], { additionalProperties: true }],
  [['other'], { additionalProperties: { type: 'string' }, required: ['name'] }],
  [['x-a'], { patternProperties: { '^x-': {} } }],
  [['anything'], { properties: {} }],
  [['path'], { required: ['kind'], oneOf: [{ properties: { path: {} } }] }],
  [['path'], { additionalProperties: false, allOf: [{ $ref: '#/$defs/file' }] }],
])('%j is fine for %j', (names, schema) => {
  expect(check(names, schema)).toEqual([])
})

test('a tool without arguments says so', () => {
  expect(() => check(['a'], { properties: {}, additionalProperties: false })).toThrow(
    'the tool takes no argument "a"; it takes none.',
  )
})

test('a call that failed is explained by its names', () => {
  const schema = { properties, required: ['name'] }
  expect(argumentNamesHint({ nmae: 1 }, schema)).toBe(
    'It has no argument "nmae"; did you mean name? It requires name.',
  )
  expect(argumentNamesHint({ name: 1, stile: 2 }, schema)).toBe(
    'It has no argument "stile"; did you mean style?',
  )
  expect(argumentNamesHint({ name: 1 }, schema)).toBeUndefined()
})

test('the arguments of a prompt are checked alike', () => {
  const schema = promptSchema({ arguments: [{ name: 'city', required: true }, { name: 'unit' }, 1] })
  expect(() => checkArgumentNames(['ctiy'], ['ctiy'], { what: 'prompt', schema })).toThrow(
    'the prompt takes no argument "ctiy"; did you mean city? It requires city.',
  )
})
