import { expect, it } from 'vitest'
import type { ResponderRule } from '../../server-core/host/contract/responders.ts'
import { ruleForm, ruleOf } from './rule-form.ts'

it.each<ResponderRule>([
  { kind: 'people' },
  { kind: 'decline' },
  { kind: 'never' },
  { kind: 'fixed', result: { action: 'accept', content: { a: 1 } } },
  { kind: 'template', template: { text: '{{message}}' }, review: true },
  { kind: 'script', file: '/srv/answer.ts' },
  { kind: 'model', endpointId: 'local', model: 'small', maxTokens: 100, review: true },
  { kind: 'wait', ms: 1_500, then: { kind: 'wait', ms: 0, then: { kind: 'decline' } } },
])('a rule ($kind) comes back from its form as it was', (rule) => {
  expect(ruleOf(ruleForm('sampling', rule))).toEqual({ ok: true, value: rule })
})

it('keeps what is set for all servers where nothing is chosen', () => {
  expect(ruleOf(ruleForm('roots', undefined))).toEqual({ ok: true, value: undefined })
})

it.each([
  [{ kind: 'fixed', fixed: '{' } as const, 'not finished'],
  [{ kind: 'fixed', fixed: '[]' } as const, 'object'],
  [{ kind: 'script', file: ' ' } as const, 'path'],
  [{ kind: 'model' } as const, 'endpoint'],
  [{ kind: 'model', endpointId: 'a', maxTokens: 'x' } as const, 'tokens'],
  [{ kind: 'model', endpointId: 'a', maxTokens: '0' } as const, 'tokens'],
  [{ kind: 'wait', seconds: 'soon' } as const, 'seconds'],
])('says what is missing: %j', (change, words) => {
  const made = ruleOf({ ...ruleForm('sampling', undefined), ...change })
  expect(made).toEqual({ ok: false, reason: expect.stringContaining(words) as unknown })
})
