import { describe, expect, it } from 'vitest'
import { ExactNumber } from './exact-json.ts'
import { headerParametersOf, mirroredHeaders } from './header-parameters.ts'

const annotated = (type: unknown, name: unknown = 'A') => ({ type, 'x-mcp-header': name })
const withProperties = (properties: object) => ({ type: 'object', properties })

describe('x-mcp-header annotations', () => {
  it('are found on nested properties, and not in data or on a property of that name', () => {
    const schema = withProperties({
      'x-mcp-header': { type: 'object', properties: { city: annotated('string', 'City') } },
      count: { ...annotated('integer', 'Count'), default: { 'x-mcp-header': 7 } },
      plain: { enum: [{ 'x-mcp-header': 'B' }] },
    })
    expect(headerParametersOf(schema)).toEqual({
      ok: true,
      parameters: [
        { path: ['x-mcp-header', 'city'], header: 'mcp-param-city', type: 'string' },
        { path: ['count'], header: 'mcp-param-count', type: 'integer' },
      ],
    })
  })

  it.each([
    [withProperties({ a: annotated('string', '') }), /"" is not a header name/],
    [withProperties({ a: annotated('string', 'a b') }), /"a b" is not a header name/],
    [withProperties({ a: annotated('string', 'a:') }), /is not a header name/],
    [withProperties({ a: annotated('string', 'ä') }), /is not a header name/],
    [withProperties({ a: annotated('string', 7) }), /7 is not a header name/],
    [
      withProperties({ a: annotated('number') }),
      /on a: the type must be string, integer or boolean, not "number"/,
    ],
    [withProperties({ a: annotated(['string', 'null']) }), /not \["string","null"\]/],
    [withProperties({ a: annotated(undefined) }), /not undefined/],
    [withProperties({ a: annotated('string', 'X'), b: annotated('string', 'x') }), /on b: "x" is used twice/],
    [withProperties({ a: { type: 'array', items: annotated('string') } }), /only be reached through items/],
    [{ type: 'object', anyOf: [withProperties({ a: annotated('string') })] }, /only be reached/],
    [{ type: 'object', $defs: { a: annotated('string') } }, /only be reached/],
    [{ type: 'object', 'x-mcp-header': 'A' }, /on the schema itself: it must be on a property/],
  ])('that break the rules are named: %j', (schema, reason) => {
    expect(headerParametersOf(schema)).toEqual({ ok: false, reason: expect.stringMatching(reason) as string })
  })
})

describe('mirrored headers', () => {
  const parameters = [
    { path: ['a'], header: 'mcp-param-a', type: 'string' as const },
    { path: ['b', 'c'], header: 'mcp-param-c', type: 'string' as const },
  ]

  it.each([
    [
      { a: 'Oslo', b: { c: 42 } },
      { 'mcp-param-a': 'Oslo', 'mcp-param-c': '42' },
    ],
    [
      { a: true, b: { c: false } },
      { 'mcp-param-a': 'true', 'mcp-param-c': 'false' },
    ],
    [
      { a: ' x', b: { c: 'é' } },
      { 'mcp-param-a': '=?base64?IHg=?=', 'mcp-param-c': '=?base64?w6k=?=' },
    ],
    [{ a: '', b: 'text' }, { 'mcp-param-a': '' }],
    [{ a: null, b: { c: {} } }, {}],
    [{ a: new ExactNumber('9007199254740993') }, { 'mcp-param-a': '9007199254740993' }],
    [undefined, {}],
  ])('of %j are %j', (args, headers) => {
    expect(mirroredHeaders(parameters, args)).toEqual(headers)
  })
})
