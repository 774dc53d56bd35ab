import ts from 'typescript'
import { expect, it } from 'vitest'
import { toolDeclarations } from './tool-declarations.ts'
import { typeOfSchema } from './type-of-schema.ts'

it.each([
  [{ type: 'string' }, 'string'],
  [{ type: 'integer' }, 'number'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ enum: ['C', 'F', 1, null] }, '"C" | "F" | 1 | null'],
  [{ const: true }, 'true'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, 'readonly ("a" | "b")[]'],
  [{ type: 'array', prefixItems: [{ type: 'string' }], items: false }, 'readonly [string]'],
  [{ anyOf: [{ type: 'string' }, {}] }, 'unknown'],
  [{ allOf: [{ type: 'string' }, { $ref: '#/$defs/no' }] }, 'string & unknown'],
  [{ type: 'object' }, '{ readonly [name: string]: unknown }'],
  [
    { type: 'object', properties: { 'a-b': { type: 'number' }, c: {} }, required: ['a-b'] },
    '{\n  readonly "a-b": number\n  readonly c?: unknown\n}',
  ],
  [
    { $ref: '#/$defs/tree', $defs: { tree: { type: 'array', items: { $ref: '#/$defs/tree' } } } },
    'readonly unknown[]',
  ],
])('%j', (schema, type) => {
  expect(typeOfSchema(schema)).toBe(type)
})

it('a declaration compiles, whatever names and descriptions say', () => {
  const text = toolDeclarations(
    [
      {
        name: 'evil"\n*/',
        description: 'Ends */ the comment\nand goes on.',
        inputSchema: { type: 'object', properties: { 'x"*/': { type: 'string', description: '*/ }' } } },
      },
      { name: 'forecast', inputSchema: { type: 'object' }, outputSchema: { type: 'object' } },
    ],
    'patchbay types -- node\nserver.js',
  )
  const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true })
  expect(diagnostics.map(({ messageText }) => messageText)).toEqual([])
  expect(text).toContain('readonly "forecast": {')
})
