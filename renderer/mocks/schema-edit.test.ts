import { expect, it } from 'vitest'
import {
  choicesText,
  nameProblem,
  propertiesOf,
  readChoices,
  withChanged,
  withKeyword,
  withoutProperty,
  withProperty,
  type Schema,
} from './schema-edit.ts'

const SCHEMA: Schema = {
  $id: 'urn:kept',
  type: 'object',
  properties: { city: { type: 'string', 'x-own': 1 }, days: { type: 'integer' } },
  required: ['city', 'elsewhere'],
  additionalProperties: false,
}

it('changes one thing of a schema and leaves everything else where it is', () => {
  const [city] = propertiesOf(SCHEMA)
  if (city === undefined) throw new Error('no property')
  const renamed = withChanged(SCHEMA, 'city', { ...city, name: 'place', isRequired: false })
  expect(renamed).toEqual({
    $id: 'urn:kept',
    type: 'object',
    properties: { place: { type: 'string', 'x-own': 1 }, days: { type: 'integer' } },
    required: ['elsewhere'],
    additionalProperties: false,
  })
  expect(Object.keys(renamed['properties'] as object)).toEqual(['place', 'days'])
  expect(withoutProperty(SCHEMA, 'city')).not.toHaveProperty('properties.city')
  expect(withKeyword(city.schema, 'minLength', 2)).toEqual({ type: 'string', 'x-own': 1, minLength: 2 })
  expect(withKeyword(city.schema, 'type', undefined)).toEqual({ 'x-own': 1 })
})

it('finds free names for new properties, and keeps names apart', () => {
  const two = withProperty(withProperty({ type: 'object' }))
  expect(propertiesOf(two).map(({ name }) => name)).toEqual(['property1', 'property2'])
  expect(nameProblem(two, 'property2', 'property1')).toContain('already')
  expect(nameProblem(two, 'property1', 'property1')).toBeUndefined()
  expect(nameProblem(two, '', 'property1')).toBe('a name')
})

it('reads choices by type, and gives them back as they were typed', () => {
  expect(readChoices('C\nF\n', 'string')).toEqual(['C', 'F'])
  expect(readChoices('1\n2', 'integer')).toEqual([1, 2])
  expect(readChoices('one', 'integer')).toContain('a JSON value')
  expect(readChoices('', 'string')).toBeUndefined()
  expect(choicesText({ enum: ['C', 2, null] })).toBe('C\n2\nnull')
})
