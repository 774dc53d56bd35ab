import { expect, test } from 'vitest'
import { changeArguments, typeArguments } from '../workbench/form/arguments-state.ts'
import { describeSchema } from '../workbench/form/describe-schema.ts'
import { stepTo, typeNumber } from '../workbench/form/draft-edits.ts'
import { formOf, formStart, holdsSame, isUntouched } from './form-start.ts'

const schemas = {
  'with defaults': {
    type: 'object',
    properties: { desk: { type: 'string', default: 'window' }, people: { type: 'integer', default: 1 } },
  },
  'without defaults': {
    type: 'object',
    properties: { desk: { type: 'string' }, people: { type: 'integer' } },
  },
}

test.each(Object.entries(schemas))('a form %s is untouched until something is typed', (_words, schema) => {
  const spec = describeSchema(schema)
  const start = { schema, spec, arguments: formStart({ schema, spec }) }
  expect(isUntouched(start)).toBe(true)
  const typed = typeArguments(spec, start.arguments, '{"desk":"door"}')
  expect(isUntouched({ ...start, arguments: typed })).toBe(false)
})

test('what a rule proposes is the same as a form that was filled in with it, and as no other', () => {
  const schema = schemas['with defaults']
  const spec = describeSchema(schema)
  const proposal = formOf(spec, { desk: 'door', people: 2 })
  expect(holdsSame({ spec, arguments: formStart({ schema, spec }) }, proposal)).toBe(false)
  expect(holdsSame({ spec, arguments: formOf(spec, { desk: 'door', people: 2 }) }, proposal)).toBe(true)
  expect(isUntouched({ schema, spec, arguments: proposal })).toBe(false)
})

test('a number that is typed half is something that was typed', () => {
  const schema = schemas['without defaults']
  const spec = describeSchema(schema)
  const half = changeArguments(
    spec,
    formStart({ schema, spec }),
    stepTo('', 'm', 'people'),
    typeNumber('-', false),
  )
  expect(isUntouched({ schema, spec, arguments: half })).toBe(false)
})
