import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Frame } from '../../ports/tap.ts'
import { parseExact } from '../../protocol/exact-json.ts'
import { applyPatch } from './json-patch.ts'
import { isLike } from './match-rule.ts'
import { RuleEngine } from './rule-engine.ts'
import type { Direction } from './rule-schema.ts'
import { parseRules } from './rules-file.ts'

function engineOf(rules: readonly unknown[], seed = 1): RuleEngine {
  return new RuleEngine(parseRules({ seed, rules }, 'rules'))
}

function message(text: string): Frame {
  return { kind: 'message', direction: 'sent', bytes: Buffer.from(text), parsed: JSON.parse(text) }
}

const call = (id: number, name = 'search', more = ''): Frame =>
  message(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}"${more}}}`)
const answer = (id: number): Frame => message(`{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`)

function textsOf(engine: RuleEngine, frame: Frame, direction: Direction = 'to-server') {
  const decided = engine.decide(direction, frame)
  if (decided === undefined) return undefined
  const { forward, reply, ...rest } = decided.decision
  return {
    forward: forward.map((bytes) => Buffer.from(bytes).toString()),
    ...(reply !== undefined && { reply: Buffer.from(reply).toString() }),
    ...rest,
  }
}

describe('matching', () => {
  it('takes the first rule that matches by direction, kind, method, target, member and pattern', () => {
    const engine = engineOf([
      { id: 'off', enabled: false, action: { type: 'drop' } },
      { id: 'pinned', match: { direction: 'to-server', target: 'pinned' }, action: { type: 'pass' } },
      { id: 'secret', match: { path: { pointer: '/params/arguments/pin' } }, action: { type: 'drop' } },
      {
        id: 'oslo',
        match: { path: { pointer: '/params/arguments/q', equals: 'Oslo' } },
        action: { type: 'drop' },
      },
      { id: 'text', match: { pattern: 'dr[o0]p me' }, action: { type: 'drop' } },
      {
        id: 'answers',
        match: { direction: 'to-client', kind: 'response', method: 'tools/*', target: 's*ch' },
        action: { type: 'drop' },
      },
    ])
    const chosen = (frame: Frame, direction: Direction = 'to-server') =>
      engine.decide(direction, frame)?.ruleId
    expect(chosen(call(1))).toBeUndefined()
    expect(chosen(call(2, 'pinned', ',"arguments":{"pin":1}'))).toBe('pinned')
    expect(chosen(call(3, 'x', ',"arguments":{"pin":null}'))).toBe('secret')
    expect(chosen(call(4, 'x', ',"arguments":{"q":"Oslo"}'))).toBe('oslo')
    expect(chosen(call(5, 'x', ',"arguments":{"q":"dr0p me"}'))).toBe('text')
    expect(chosen(answer(1), 'to-client')).toBe('answers')
    // Its request was for another tool, or is answered already.
    expect(chosen(answer(2), 'to-client')).toBeUndefined()
    expect(chosen(answer(1), 'to-client')).toBeUndefined()
    expect(engine.hits).toMatchObject({ pinned: 1, answers: 1, text: 1 })
  })

  it('counts, and draws the same for the same seed', () => {
    const counted = engineOf([{ id: 'a', match: { after: 2, times: 2 }, action: { type: 'drop' } }])
    expect([1, 2, 3, 4, 5].map((id) => counted.decide('to-server', call(id)) !== undefined)).toEqual([
      false,
      false,
      true,
      true,
      false,
    ])
    const rule = { id: 'half', match: { probability: 0.5 }, action: { type: 'drop' } }
    const draws = (seed: number) => {
      const engine = engineOf([rule], seed)
      return Array.from({ length: 200 }, (_, id) => engine.decide('to-server', call(id)) !== undefined)
    }
    expect(draws(7)).toEqual(draws(7))
    expect(draws(7)).not.toEqual(draws(8))
    expect(draws(7).filter(Boolean).length).toBeGreaterThan(60)
    expect(draws(7).filter(Boolean).length).toBeLessThan(140)
  })

  it('compares texts with * in proportion to their lengths', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 8 }),
        fc.array(fc.constantFrom('a', 'b'), { maxLength: 10 }),
        (p, t) => {
          const [pattern, text] = [p.join(''), t.join('')]
          expect(isLike(pattern, text)).toBe(new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(text))
        },
      ),
      { numRuns: 2_000 },
    )
    expect(isLike(`${'a*'.repeat(200)}b`, 'a'.repeat(5_000))).toBe(false)
  })
})

describe('actions', () => {
  it('rewrites by a patch and keeps every digit', () => {
    const patch = [{ op: 'replace', path: '/params/name', value: 'find' }]
    const engine = engineOf([{ id: 'r', action: { type: 'rewrite', patch } }])
    const frame = message(
      '{"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/call","params":{"name":"x","n":1.0}}',
    )
    expect(textsOf(engine, frame)?.forward).toEqual([
      '{"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/call","params":{"name":"find","n":1.0}}',
    ])
    const missing = engineOf([
      { id: 'r', action: { type: 'rewrite', patch: [{ op: 'remove', path: '/none' }] } },
    ])
    expect(textsOf(missing, call(1))).toMatchObject({ note: 'rule r: not rewritten: nothing is at "/none"' })
  })

  it('fills templates, answers requests under their id, repeats, drops and breaks messages', () => {
    const one = (action: unknown, frame = call(9), direction: Direction = 'to-server') =>
      textsOf(engineOf([{ id: 'r', action }]), frame, direction)
    const template = { jsonrpc: '2.0', id: '{{id}}', method: 'ping', params: { was: '{{params.name}}' } }
    expect(one({ type: 'template', message: template })?.forward).toEqual([
      '{"jsonrpc":"2.0","id":9,"method":"ping","params":{"was":"search"}}',
    ])
    expect(one({ type: 'answer', result: { content: [] } })).toMatchObject({
      forward: [],
      reply: '{"jsonrpc":"2.0","id":9,"result":{"content":[]}}',
    })
    expect(one({ type: 'answer', error: { code: -1, message: 'no' } })?.reply).toContain('"error":{"code":-1')
    expect(one({ type: 'answer', result: {} }, message('{"jsonrpc":"2.0","method":"n"}'))).toMatchObject({
      forward: [expect.anything()],
    })
    expect(one({ type: 'duplicate' })?.forward).toHaveLength(2)
    expect(one({ type: 'drop' })?.forward).toEqual([])
    expect(one({ type: 'delay', ms: 100, jitterMs: 50 })?.delayMs).toBeGreaterThanOrEqual(50)
    expect(one({ type: 'fault', how: 'wrong-id' }, answer(3), 'to-client')?.forward[0]).toContain(
      '"id":1000006',
    )
    expect(one({ type: 'fault', how: 'truncate' })?.forward[0]?.length).toBeLessThan(call(9).bytes.length)
    expect(one({ type: 'fault', how: 'close' })).toMatchObject({ close: true, forward: [] })
    expect(one({ type: 'hold' })).toMatchObject({ hold: { seconds: 60, afterwards: 'forward' } })
  })

  it('applies JSON Patch as RFC 6902 says, or not at all', () => {
    const patched = (value: unknown, ...patch: Parameters<typeof applyPatch>[1]) => applyPatch(value, patch)
    expect(patched({ a: [1, 2] }, { op: 'add', path: '/a/1', value: 9 })).toMatchObject({
      value: { a: [1, 9, 2] },
    })
    expect(patched({ a: [1] }, { op: 'add', path: '/a/-', value: 9 })).toMatchObject({ value: { a: [1, 9] } })
    expect(patched({ a: { b: 1 } }, { op: 'move', from: '/a/b', path: '/c' })).toMatchObject({
      value: { a: {}, c: 1 },
    })
    expect(patched({ a: 1 }, { op: 'copy', from: '/a', path: '/b~1c' })).toMatchObject({
      value: { a: 1, 'b/c': 1 },
    })
    expect(
      patched({ a: 1 }, { op: 'test', path: '/a', value: 1 }, { op: 'remove', path: '/a' }),
    ).toMatchObject({ value: {} })
    for (const operation of [
      { op: 'test', path: '/a', value: 2 },
      { op: 'remove', path: '/b' },
      { op: 'add', path: '/b/c', value: 1 },
      { op: 'replace', path: '/b', value: 1 },
      { op: 'move', from: '/a', path: '/a/b' },
      { op: 'remove', path: '' },
    ] as const)
      expect(patched({ a: 1 }, operation)).toMatchObject({ ok: false })
    const polluted = patched({}, { op: 'add', path: '/__proto__', value: { x: 1 } })
    expect(polluted.ok && Object.keys(polluted.value as object)).toEqual(['__proto__'])
    expect(parseExact('1')).toBe(1)
  })
})

it('names what is wrong with rules', () => {
  const wrong = (value: unknown) => () => parseRules(value, 'rules.json')
  expect(wrong({ rules: [{ id: 'a', action: { type: 'explode' } }] })).toThrow(
    /rules.json.*rules\[0\].action/s,
  )
  expect(
    wrong({
      rules: [
        { id: 'a', action: { type: 'drop' } },
        { id: 'a', action: { type: 'drop' } },
      ],
    }),
  ).toThrow('"a" is used twice')
  expect(wrong({ rules: [{ id: 'a', match: { pattern: '(a+)+$' }, action: { type: 'drop' } }] })).toThrow(
    'without nested repeats',
  )
  expect(wrong({ rules: [{ id: 'a', match: { pattern: '(' }, action: { type: 'drop' } }] })).toThrow(
    'not a regular expression',
  )
  expect(wrong({ rules: [{ id: 'a', action: { type: 'answer' } }] })).toThrow('expected result or error')
  expect(wrong({ ruls: [] })).toThrow('ruls')
})
