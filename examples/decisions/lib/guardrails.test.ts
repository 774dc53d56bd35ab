import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluate, readGuardrails, readRules, type Action } from './guardrails.ts'

const action = (fields: Partial<Action>): Action => ({
  description: 'Do something',
  stakes: 'medium',
  tags: [],
  reasons: 0,
  reason_types: 0,
  similar_failures: 0,
  ...fields,
})
const rules = (members: string) =>
  readRules(`guardrails: [{ id: r, description: d, message: m, ${members} }]`, 'x.yaml')
const blocks = (members: string, fields: Partial<Action>) =>
  !evaluate(rules(`action: block, ${members}`), action(fields)).allowed

describe('a guardrail', () => {
  it('speaks when all its conditions hold', () => {
    const members = 'condition_stakes: [high, critical], condition_confidence: "< 0.5"'
    expect(blocks(members, { stakes: 'high', confidence: 0.49 })).toBe(true)
    expect(blocks(members, { stakes: 'high', confidence: 0.5 })).toBe(false)
    expect(blocks(members, { stakes: 'high' })).toBe(false)
    expect(blocks(members, { stakes: 'low', confidence: 0 })).toBe(false)
  })

  it('with requirements speaks when one of them does not hold', () => {
    const members = 'condition_category: security, requires_reasons: ">= 1", requires_reason_types: ">= 2"'
    expect(blocks(members, { category: 'security', reasons: 3, reason_types: 1 })).toBe(true)
    expect(blocks(members, { category: 'security', reasons: 3, reason_types: 2 })).toBe(false)
    expect(blocks(members, { category: 'process' })).toBe(false)
  })

  it('finds phrases in any form of their words, and no parts of words', () => {
    const members = 'condition_description: "contains deploy without tests, skip review"'
    expect(blocks(members, { description: 'Deploying WITHOUT testing today' })).toBe(true)
    expect(blocks(members, { description: 'Skipped reviews' })).toBe(true)
    expect(blocks(members, { description: 'Deploy with tests' })).toBe(false)
    expect(blocks('condition_description: "lacks rollback"', { description: 'Ship it' })).toBe(true)
    expect(blocks('condition_tags: contains auth', { tags: ['authors'] })).toBe(false)
    expect(blocks('condition_tags: auth', { tags: ['jwt', 'auth'] })).toBe(true)
  })

  it.each([
    ['"<= 2"', 2, true],
    ['"> 2"', 2, false],
    ['">= 2"', 2, true],
    ['"!= 2"', 2, false],
    ['2', 2, true],
  ])('compares by %s', (wanted, similar_failures, spoken) => {
    expect(blocks(`condition_similar_failures: ${wanted}`, { similar_failures })).toBe(spoken)
  })

  it('is for its project only, and warns or logs if it says so', () => {
    const told = evaluate(
      [
        ...rules('action: warn, scope: acme/shop'),
        ...readRules('guardrails: [{ id: l, description: d, message: m, action: log }]', 'y.yaml'),
      ],
      action({ project: 'acme/shop' }),
    )
    expect(told).toEqual({
      allowed: true,
      violations: [],
      warnings: [{ guardrail_id: 'r', name: 'd', message: 'm', severity: 'warn' }],
      evaluated: 2,
    })
    expect(evaluate(rules('action: block, scope: acme/shop'), action({})).evaluated).toBe(0)
  })

  it.each([
    ['condition_colour: red', /condition_colour.*names no field: expected one of description/],
    ['when: red', /"when" is not a member/],
    ['condition_stakes: { a: 1 }', /"condition_stakes" must be a text/],
  ])('that says %s is refused with its file', (members, problem) => {
    expect(() => rules(`action: block, ${members}`)).toThrow(problem)
    expect(() => rules(`action: block, ${members}`)).toThrow('x.yaml')
  })

  it('that is not YAML is refused, never passed over', () => {
    expect(() => readRules('guardrails: [', 'x.yaml')).toThrow('x.yaml are not YAML')
    expect(() => readRules('guardrails: 3', 'x.yaml')).toThrow('x.yaml cannot be used')
    expect(readRules('', 'x.yaml')).toEqual([])
  })
})

describe('the rules of the house', () => {
  const folder = path.join(import.meta.dirname, '../guardrails')

  it('are read, with all that their file names', async () => {
    const written = await readFile(path.join(folder, 'house-rules.yaml'), 'utf8')
    const ids = [...written.matchAll(/- id: (\S+)/g)].map(([, id]) => id)
    expect((await readGuardrails(folder)).map(({ id }) => id)).toEqual(ids)
    expect(await readGuardrails(path.join(folder, 'nowhere'))).toEqual([])
  })

  it('stop what should be stopped', async () => {
    const told = evaluate(
      await readGuardrails(folder),
      action({ description: 'Deploy to production without tests', stakes: 'high', confidence: 0.4 }),
    )
    expect(told.allowed).toBe(false)
    expect(told.violations.map((one) => one.guardrail_id)).toEqual([
      'no-production-without-tests',
      'high-stakes-need-confidence',
    ])
  })
})
