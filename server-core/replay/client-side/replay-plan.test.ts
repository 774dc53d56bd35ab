import { expect, test } from 'vitest'
import type { RecordedCall } from '../../comparison/recorded-calls.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { replayPlan } from './replay-plan.ts'
import { ReturnedValues } from './returned-values.ts'

type Given = Partial<RecordedCall> & { readonly method: string; readonly params?: JsonObject }

/** Calls in order, a frame each; `answerFrame` says when the answer came. */
function calls(...given: readonly Given[]): RecordedCall[] {
  return given.map(({ params = {}, ...call }, number) => ({
    frame: number * 10,
    at: number * 10,
    kind: 'request',
    direction: 'sent',
    target: '',
    outcome: { type: 'none' },
    key: '',
    params,
    ...call,
  }))
}

const answered = (value: JsonObject, answerFrame: number): Partial<RecordedCall> => ({
  outcome: { type: 'result', value },
  answerFrame,
})

test('each call waits for the answers that came before it, and for no others', () => {
  const plan = replayPlan(
    calls(
      { method: 'initialize', ...answered({ protocolVersion: '2025-06-18' }, 5) },
      { method: 'tools/list', ...answered({}, 45) },
      { method: 'tools/call', ...answered({}, 25) },
      { method: 'tools/call', ...answered({}, 35) },
      { method: 'tools/call' },
      { method: 'tools/call', ...answered({}, 55) },
    ),
  )
  expect(plan.calls.map(({ answersBefore }) => answersBefore)).toEqual([0, 0, 1, 2, 3])
  expect(plan.answered).toEqual([1, 2, 0, 4])
  expect(plan.client).toEqual({ revision: '2025-06-18', capabilities: {} })
})

test('rounds of one request are one call, and their questions have the answers that the rounds brought', () => {
  const ask = {
    resultType: 'input_required',
    requestState: 's',
    inputRequests: { q: { method: 'elicitation/create', params: { message: 'Sure?' } } },
  }
  const plan = replayPlan(
    calls(
      { method: 'tools/call', target: 'cancel', ...answered(ask, 5) },
      {
        method: 'tools/call',
        target: 'cancel',
        params: { requestState: 's', inputResponses: { q: { action: 'accept' } } },
        ...answered({ content: [] }, 15),
      },
    ),
  )
  expect(plan.calls).toHaveLength(1)
  expect(plan.questions).toEqual([
    {
      method: 'elicitation/create',
      params: { message: 'Sure?' },
      outcome: { type: 'result', value: { action: 'accept' } },
    },
  ])
})

test('a call with a masked secret is not sent, and the reason names it', () => {
  const { calls: planned, skipped } = replayPlan(
    calls({ method: 'tools/call', params: { arguments: { token: '⟨redacted⟩' } } }),
  )
  expect(planned).toEqual([])
  expect(skipped[0]?.reason).toContain('a secret that was masked')
})

test('only values that the client sends back are replaced, also inside of texts and addresses', () => {
  const values = new ReturnedValues(
    calls({
      method: 'resources/read',
      params: { uri: 'notes://n-12345678/body', number: 41, city: 'Oslo', cursor: 'page-2-a' },
    }),
  )
  values.learn(
    { content: [{ text: 'Created n-12345678 in Oslo' }], number: 41, nextCursor: 'page-2-a', other: 41 },
    { content: [{ text: 'Created n-87654321 in Rome' }], number: 42, nextCursor: 'page-2-b', other: 43 },
  )
  expect(
    values.apply({ uri: 'notes://n-12345678/body', number: 41, city: 'Oslo', cursor: 'page-2-a' }),
  ).toEqual({
    uri: 'notes://n-87654321/body',
    number: 42,
    city: 'Oslo',
    cursor: 'page-2-b',
  })
  expect(values.isReplaced('notes://n-12345678/body', 'notes://n-87654321/body')).toBe(true)
  expect(values.isReplaced('Oslo', 'Rome')).toBe(false)
})
