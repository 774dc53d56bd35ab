import { expect, test } from 'vitest'
import type { RecordedCall, RecordedOutcome } from '../comparison/recorded-calls.ts'
import type { JsonObject } from '../protocol/json.ts'
import { AnswerBook } from './answer-book.ts'
import { recordedAnswers } from './recorded-answers.ts'

type Given = Partial<RecordedCall> & { readonly method: string; readonly params: JsonObject }

/** Calls in order; each frame is 10 ms behind the one before it. */
function calls(...given: readonly Given[]): RecordedCall[] {
  return given.map((call, number) => ({
    frame: number * 10,
    at: number * 10,
    kind: 'request',
    direction: 'sent',
    target: typeof call.params['name'] === 'string' ? call.params['name'] : '',
    outcome: { type: 'none' },
    key: '',
    ...call,
  }))
}

const result = (value: JsonObject): RecordedOutcome => ({ type: 'result', value })
const weather = (city: string, text: string, more: Partial<Given> = {}): Given => ({
  method: 'tools/call',
  params: { name: 'weather', arguments: { city } },
  outcome: result({ content: [{ type: 'text', text }] }),
  durationMs: 5,
  answerFrame: 1,
  ...more,
})

test('what a server sends before its answer belongs to the call', () => {
  const [answer, ...others] = recordedAnswers(
    calls(
      {
        ...weather('Oslo', 'rain'),
        params: { name: 'weather', arguments: { city: 'Oslo' }, _meta: { progressToken: 7 } },
        answerFrame: 45,
        durationMs: 45,
      },
      {
        kind: 'notification',
        direction: 'received',
        method: 'notifications/progress',
        params: { progressToken: 7, progress: 1, total: 2 },
      },
      {
        kind: 'notification',
        direction: 'received',
        method: 'notifications/message',
        params: { level: 'info', data: 'looking' },
      },
      {
        direction: 'received',
        method: 'elicitation/create',
        params: { message: 'Which Oslo?', _meta: { progressToken: 1 } },
      },
    ),
  )
  expect(others).toEqual([])
  expect(answer?.steps).toEqual([
    { type: 'emit', afterMs: 10, emission: { type: 'progress', progress: 1, total: 2 } },
    { type: 'emit', afterMs: 10, emission: { type: 'log', level: 'info', data: 'looking' } },
    {
      type: 'ask',
      afterMs: 10,
      questions: [{ key: 'q2', method: 'elicitation/create', params: { message: 'Which Oslo?' } }],
    },
  ])
  expect(answer?.afterMs).toBe(15)
})

test('rounds of one call are one call that asks', () => {
  const question = { method: 'elicitation/create', params: { message: 'Which Oslo?' } }
  const answers = recordedAnswers(
    calls(
      {
        ...weather('Oslo', ''),
        outcome: result({
          resultType: 'input_required',
          inputRequests: { which: question },
          requestState: 's1',
        }),
      },
      {
        ...weather('Oslo', 'rain'),
        params: {
          name: 'weather',
          arguments: { city: 'Oslo' },
          requestState: 's1',
          inputResponses: { which: { action: 'accept' } },
        },
      },
    ),
  )
  expect(answers).toHaveLength(1)
  expect(answers[0]).toMatchObject({
    call: { params: { arguments: { city: 'Oslo' } } },
    steps: [{ type: 'ask', questions: [{ key: 'which', ...question }] }],
    outcome: { value: { content: [{ text: 'rain' }] } },
  })
})

test('answers to the same question come in their order, and the last one is repeated', () => {
  const recorded = recordedAnswers(
    calls(weather('Oslo', 'rain'), weather('Oslo', 'sun'), weather('Rome', 'sun')),
  )
  const asked = (city: unknown): JsonObject => ({ name: 'weather', arguments: { city } })
  const textOf = (book: AnswerBook, city: unknown): unknown => {
    const found = book.take('tools/call', asked(city))
    return found.type === 'answer' ? JSON.stringify(found.answer.outcome.value) : found
  }
  const book = new AnswerBook(recorded, 'exact', false)
  expect(textOf(book, 'Oslo')).toContain('rain')
  expect(textOf(book, 'Oslo')).toContain('sun')
  expect(textOf(book, 'Oslo')).toContain('sun')
  expect(textOf(book, 'Paris')).toMatchObject({
    type: 'nearest',
    asked: { city: 'Oslo' },
    changes: [{ pointer: '/city', before: 'Oslo', after: 'Paris' }],
  })
  expect(book.take('tools/call', { name: 'forecast' })).toEqual({ type: 'unknown', targets: ['weather'] })

  const once = new AnswerBook(recorded, 'exact', true)
  textOf(once, 'Rome')
  expect(textOf(once, 'Rome')).toEqual({ type: 'used-up' })
  expect(textOf(new AnswerBook(recorded, 'shape', false), 'Paris')).toContain('rain')
  expect(textOf(new AnswerBook(recorded, 'shape', false), 5)).toMatchObject({ type: 'nearest' })
  expect(textOf(new AnswerBook(recorded, 'target', false), 5)).toContain('rain')
})
