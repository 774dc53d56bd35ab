import { expect, it } from 'vitest'
import { OutputChecks } from './output-checks.ts'
import { OutOfTimeError, withinTime } from '../../registry/within-time.ts'

const checks = new OutputChecks()

async function check(outputSchema: object | undefined, result: object): Promise<unknown> {
  checks.note('s', [null, 'x', { name: 'tool', ...(outputSchema !== undefined && { outputSchema }) }])
  return checks.check('s', 'tool', { ...result })
}

const schema = {
  type: 'object',
  properties: { n: { type: 'integer', minimum: 1 } },
  required: ['n'],
  additionalProperties: false,
}

it('says how a structured result stands to the schema', async () => {
  expect(await check(undefined, { structuredContent: { n: 0 } })).toEqual({ state: 'no-schema' })
  expect(await check(schema, { structuredContent: { n: 1 } })).toEqual({ state: 'matches' })
  expect(await check(schema, { structuredContent: { n: 0, x: 1 } })).toEqual({
    state: 'differs',
    findings: [
      { path: '', message: 'must NOT have additional properties ("x")' },
      { path: '/n', message: 'must be >= 1' },
    ],
  })
  expect(await check(schema, { content: [] })).toMatchObject({ state: 'differs' })
  expect(await check(schema, { isError: true, content: [] })).toEqual({ state: 'no-schema' })
  expect(await checks.check('s', undefined, {})).toEqual({ state: 'no-schema' })
  expect(await checks.check('other server', 'tool', {})).toMatchObject({ state: 'not-checked' })
})

it('takes structured results of any JSON value, and both dialects in use', async () => {
  expect(
    await check({ type: 'array', prefixItems: [{ type: 'string' }] }, { structuredContent: ['a'] }),
  ).toEqual({ state: 'matches' })
  const old = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'array',
    items: [{ type: 'string' }],
  }
  expect(await check(old, { structuredContent: [1] })).toMatchObject({ state: 'differs' })
})

it.each([
  ['an invalid schema', { type: 'nonsense' }],
  ['that points outside', { $ref: 'https://evil.example/schema' }],
  ['that is asynchronous', { $async: true, type: 'object' }],
])('does not fail on a schema %s', async (_what, broken) => {
  expect(await check(broken, { structuredContent: {} })).toMatchObject({
    state: expect.stringMatching(/not-checked|differs/) as string,
  })
})

it.each(['^(a+)+$', '^(a|aa)+$', '(x+x+)+y'])('decides on a pattern that backtracks: %s', async (pattern) => {
  const text = `${'ax'.repeat(50_000)}!`
  const wrong = [{ path: '', message: `must match pattern "${pattern}"` }]
  expect(await check({ pattern }, { structuredContent: text })).toEqual({ state: 'differs', findings: wrong })
  expect(
    await check({ patternProperties: { [pattern]: false } }, { structuredContent: { [text]: 1 } }),
  ).toEqual({
    state: 'matches',
  })
})

it('gives up a hostile pattern, which would never end, and works on afterwards', async () => {
  const hostile = { type: 'string', pattern: '^(?=a)(a+)+$' }
  expect(await check(hostile, { structuredContent: `${'a'.repeat(60)}b` })).toMatchObject({
    state: 'not-checked',
  })
  expect(await check(schema, { structuredContent: { n: 1 } })).toEqual({ state: 'matches' })
})

it('lets errors of the work through', () => {
  expect(withinTime(1_000, () => 42)).toBe(42)
  expect(() =>
    withinTime(1_000, () => {
      throw new TypeError('own')
    }),
  ).toThrow(TypeError)
  expect(() =>
    withinTime(20, () => {
      for (;;);
    }),
  ).toThrow(OutOfTimeError)
})
