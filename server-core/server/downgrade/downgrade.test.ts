import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { REVISIONS, revisionRow, type RevisionRow } from '../../protocol/revisions.ts'
import { blocksFor } from './blocks.ts'
import { declaredFor, declaredWithoutSession } from './declared.ts'
import { formParams } from './form.ts'
import { questionFor } from '../questions.ts'
import { samplingParams } from '../deprecated/sampling.ts'
import { outputSchemaFor, structuredFor } from './structured.ts'

function rowOf(version: string): RevisionRow {
  const row = revisionRow(version)
  if (row === undefined) throw new RangeError(version)
  return row
}

const row = fc.constantFrom(...REVISIONS)
const block = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string() }),
  fc.record({ type: fc.constantFrom('image', 'audio'), data: fc.base64String(), mimeType: fc.string() }),
  fc.record({ type: fc.constant('resource_link'), uri: fc.webUrl(), name: fc.string() }),
  fc.record({ type: fc.constant('resource'), resource: fc.record({ uri: fc.webUrl(), text: fc.string() }) }),
  fc.record({ type: fc.constant('tool_use'), id: fc.string(), name: fc.string(), input: fc.constant({}) }),
)

describe('content blocks', () => {
  it('are of kinds that the revision knows, as many as before, and untouched where all are known', () => {
    fc.assert(
      fc.property(row, fc.array(block), ({ contentBlocks }, blocks) => {
        const told = blocksFor(contentBlocks, blocks)
        expect(told).toHaveLength(blocks.length)
        const known: readonly string[] = contentBlocks
        for (const [index, each] of told.entries()) {
          expect(known).toContain(each['type'])
          const before = blocks[index]
          if (known.includes(before?.type ?? '')) expect(each).toBe(before)
          else expect(each).toMatchObject({ type: 'text', text: expect.any(String) })
        }
        if (blocks.every(({ type }) => known.includes(type))) expect(told).toBe(blocks)
      }),
    )
  })

  it('keep their annotations, say what they were, and pass on kinds that nobody knows', () => {
    const { contentBlocks } = rowOf('2024-11-05')
    const annotations = { audience: ['user'] }
    expect(
      blocksFor(contentBlocks, [
        { type: 'audio', data: 'AAAAAA==', mimeType: 'audio/wav', annotations },
        { type: 'resource_link', uri: 'a://b', name: 'b', title: 'B' },
        { type: 'newest', x: 1 },
      ]),
    ).toEqual([
      { type: 'text', text: expect.stringMatching(/4 bytes, audio\/wav/), annotations },
      { type: 'text', text: 'B: a://b' },
      { type: 'newest', x: 1 },
    ])
  })
})

describe('structured results', () => {
  const schemas: JsonObject[] = [
    { type: 'object', properties: { n: { type: 'integer' } } },
    { type: 'array', items: { $ref: '#/$defs/n' }, $defs: { n: { type: 'integer' } } },
    { anyOf: [{ type: 'integer' }, { type: 'array', items: { $ref: '#' } }] },
    { $schema: 'https://json-schema.org/draft/2020-12/schema', enum: [1, null, 'x', [1], { n: 1 }] },
  ]
  const value = fc.oneof(fc.constantFrom(null, 'x', 1, 1.5, [1], ['x'], { n: 1 }, { n: 'x' }), fc.jsonValue())

  it('fit the schema that is listed exactly when they fit the author’s, and are objects where they must be', () => {
    fc.assert(
      fc.property(row, fc.constantFrom(...schemas), value, (each, schema, structured) => {
        const listed = outputSchemaFor(each, schema)
        const requestContext = structuredFor(each, schema, structured)
        if (each.structuredContent === 'none') {
          expect([listed, requestContext]).toEqual([undefined, undefined])
          return
        }
        const fits = (against: JsonObject, what: unknown) =>
          new Validator(against, '2020-12').validate(what).valid
        expect(fits(listed ?? {}, requestContext)).toBe(fits(schema, structured))
        if (each.structuredContent === 'object') {
          expect(listed?.['type']).toBe('object')
          if (schema['type'] !== 'object') expect(isJsonObject(requestContext)).toBe(true)
        }
      }),
    )
  })

  it('without a schema are wrapped only if they are not objects', () => {
    const older = rowOf('2025-06-18')
    expect(structuredFor(older, undefined, { a: 1 })).toEqual({ a: 1 })
    expect(structuredFor(older, undefined, [1])).toEqual({ result: [1] })
    expect(structuredFor(rowOf('2026-07-28'), undefined, [1])).toEqual([1])
  })
})

describe('capabilities', () => {
  const all = {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    completions: {},
    logging: {},
    tasks: { list: {} },
    extensions: { 'a/b': {} },
  }

  it('are those of the revision, and extensions', () => {
    expect(Object.keys(declaredFor(rowOf('2024-11-05'), all))).toEqual([
      'tools',
      'resources',
      'logging',
      'extensions',
    ])
    expect(Object.keys(declaredFor(rowOf('2025-06-18'), all))).not.toContain('tasks')
    expect(declaredFor(rowOf('2025-11-25'), all)).toEqual(all)
  })

  it('without a session are those that need none', () => {
    expect(declaredWithoutSession(rowOf('2025-11-25'), all)).toEqual({
      tools: {},
      resources: {},
      completions: {},
      extensions: { 'a/b': {} },
    })
  })
})

describe('questions', () => {
  it('of a form keep every field, say every choice, and hold no default that is unknown', () => {
    const older = rowOf('2025-06-18')
    const params = {
      mode: 'form',
      message: 'm',
      requestedSchema: {
        $schema: 'x',
        type: 'object',
        properties: {
          a: { type: 'string', oneOf: [{ const: 'x', title: 'X' }, { const: 'y' }], default: 'x' },
          b: { type: 'boolean', default: true },
          c: { type: 'string', enum: ['p'], enumNames: ['P'] },
          d: { type: 'integer', minimum: 1, default: 2 },
        },
        required: ['a'],
      },
    }
    expect(formParams(older, params)).toEqual({
      message: 'm',
      requestedSchema: {
        type: 'object',
        properties: {
          a: { type: 'string', enum: ['x', 'y'], enumNames: ['X', 'y'] },
          b: { type: 'boolean', default: true },
          c: { type: 'string', enum: ['p'], enumNames: ['P'] },
          d: { type: 'integer', minimum: 1 },
        },
        required: ['a'],
      },
    })
    expect(formParams(rowOf('2025-11-25'), params)).toBe(params)
  })

  it('of sampling hold the same blocks in the same order, one a message where one is all there may be', () => {
    const part = fc.oneof(
      fc.record({ type: fc.constant('text'), text: fc.string() }),
      fc.record({ type: fc.constant('image'), data: fc.base64String(), mimeType: fc.constant('image/png') }),
    )
    const message = fc.record({
      role: fc.constantFrom('user', 'assistant'),
      content: fc.oneof(part, fc.array(part)),
    })
    const legacy = fc.constantFrom(...REVISIONS.filter(({ era }) => era === 'legacy'))
    fc.assert(
      fc.property(legacy, fc.array(message), (each, messages) => {
        const flat = (of: readonly { role: string; content: unknown }[]) =>
          of.flatMap(({ role, content }) => [content].flat().map((inside) => [role, inside]))
        const sent = samplingParams(each, { messages }, {})['messages'] as typeof messages
        expect(flat(sent)).toEqual(flat(messages))
        if (each.samplingContent === 'one')
          expect(sent.some(({ content }) => Array.isArray(content))).toBe(false)
        else expect(sent).toEqual(messages)
      }),
    )
  })

  it('with tool results are refused where sampling has no tools', () => {
    const content = { type: 'tool_result', toolUseId: '1', content: [] }
    const question = {
      key: 'q1',
      method: 'sampling/createMessage',
      params: { messages: [{ role: 'user', content }], maxTokens: 1 },
    } as const
    expect(() => questionFor(rowOf('2025-06-18'), question, { sampling: {} })).toThrow('tool_result')
    expect(questionFor(rowOf('2025-11-25'), question, { sampling: {} }).params).toEqual(question.params)
  })
})
