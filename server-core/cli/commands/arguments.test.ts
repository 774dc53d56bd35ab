import { expect, test } from 'vitest'
import { stringifyExact } from '../../protocol/exact-json.ts'
import { readArguments, typedArguments } from './arguments.ts'

const schema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    number: { type: 'number' },
    count: { type: 'integer' },
    flag: { type: 'boolean' },
    list: { type: 'array' },
    thing: { type: 'object' },
    maybe: { type: ['string', 'null'] },
    level: { enum: [1, 2] },
    either: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
    any: {},
  },
  additionalProperties: false,
}
const one = (name: string, value: string, inputSchema: unknown = schema) =>
  stringifyExact(typedArguments([{ name, value }], inputSchema))

test.each([
  ['text', '12', '{"text":"12"}'],
  ['text', 'true', '{"text":"true"}'],
  ['text', '', '{"text":""}'],
  ['number', '12345678901234567890', '{"number":12345678901234567890}'],
  ['number', '1.50', '{"number":1.50}'],
  ['count', '7', '{"count":7}'],
  ['flag', 'false', '{"flag":false}'],
  ['list', '["a"]', '{"list":["a"]}'],
  ['thing', '{"a":1}', '{"thing":{"a":1}}'],
  ['maybe', 'null', '{"maybe":null}'],
  ['maybe', 'nil', '{"maybe":"nil"}'],
  ['level', '2', '{"level":2}'],
  ['either', 'true', '{"either":true}'],
  ['any', '{"a":1}', '{"any":{"a":1}}'],
  ['any', 'Oslo', '{"any":"Oslo"}'],
])('--arg %s=%s is what the schema wants', (name, value, json) => {
  expect(one(name, value)).toBe(json)
})

test.each([
  ['number', 'twelve', '--arg number expects number, got "twelve"'],
  ['count', '1.5', '--arg count expects integer, got "1.5"'],
  ['flag', 'yes', '--arg flag expects boolean, got "yes"'],
  ['thing', '[]', '--arg thing expects object, got "[]"'],
  ['either', 'x', '--arg either expects integer or boolean, got "x"'],
])('--arg %s=%s is refused in words', (name, value, message) => {
  expect(() => one(name, value)).toThrow(message)
})

test('without a schema JSON is JSON, and everything else a text', () => {
  expect(one('a', '1', {})).toBe('{"a":1}')
  expect(one('a', 'one', true)).toBe('{"a":"one"}')
  expect(one('other', 'x', { ...schema, additionalProperties: true })).toBe('{"other":"x"}')
})

test('arguments as JSON are one object', async () => {
  expect(await readArguments(undefined)).toEqual({})
  expect(stringifyExact(await readArguments('{"a":1.0}'))).toBe('{"a":1.0}')
  await expect(readArguments('{')).rejects.toThrow('the arguments are not JSON')
  await expect(readArguments('[1]')).rejects.toThrow('the arguments must be a JSON object')
})
