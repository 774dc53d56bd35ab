import { expect, it } from 'vitest'
import { promptSignature, toolSignature } from './signature.ts'

const tool = (properties: object, required: readonly string[] = [], more: object = {}): string =>
  toolSignature({ name: 'tool', inputSchema: { type: 'object', properties, required, ...more } })

it.each([
  [
    { a: { type: 'number' }, b: { type: 'number' }, note: { type: 'string' } },
    ['a', 'b'],
    'a: number, b: number, note?: string',
  ],
  [{ late: { type: 'string' }, first: { type: 'integer' } }, ['first'], 'first: integer, late?: string'],
  [{ unit: { enum: ['C', 'F'] } }, [], 'unit?: "C" | "F"'],
  [{ word: { enum: Array.from({ length: 40 }, (_, at) => `word ${at}`) } }, [], 'word?: string'],
  [{ tags: { type: 'array', items: { type: 'string' } } }, [], 'tags?: string[]'],
  [
    { mixed: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } } },
    [],
    'mixed?: (string | number)[]',
  ],
  [{ maybe: { type: ['string', 'null'] } }, [], 'maybe?: string | null'],
  [{ kind: { const: 'x' }, any: {}, yes: true }, [], 'kind?: "x", any?: any, yes?: any'],
  [{ thing: { properties: {} } }, [], 'thing?: object'],
  [{}, [], ''],
])('the arguments of a tool: %j', (properties, required, text) => {
  expect(tool(properties, required)).toBe(`tool(${text})`)
})

it('follows references, also those that lead in a circle', () => {
  const definitions = { $defs: { Unit: { type: 'string' }, Loop: { $ref: '#/$defs/Loop' } } }
  const properties = { unit: { $ref: '#/$defs/Unit' }, loop: { $ref: '#/$defs/Loop' }, gone: { $ref: '#/x' } }
  expect(tool(properties, [], definitions)).toBe('tool(unit?: string, loop?: any, gone?: any)')
})

it('shows malformed tools, and nothing that steers a terminal', () => {
  expect(toolSignature({})).toBe('?()')
  expect(toolSignature({ name: 'a\u001b[2J\nb', inputSchema: 1 })).toBe('a b()')
  expect(tool({ 'x\u202e': { type: 'y\u001b[0m' } })).toBe('tool(x⟨U+202E⟩?: y)')
})

it('the arguments of a prompt are names', () => {
  const args = [{ name: 'text', required: true }, { name: 'style' }]
  expect(promptSignature({ name: 'sum', arguments: args })).toBe('sum(text, style?)')
  expect(promptSignature({ name: 'plain' })).toBe('plain')
})
