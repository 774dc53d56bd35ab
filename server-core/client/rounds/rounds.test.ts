import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import {
  beginRounds,
  MAX_ROUNDS,
  nextStep,
  openQuestions,
  paramsOfRound,
  pauseBefore,
  readRounds,
  withAnswer,
  type Rounds,
} from './rounds.ts'

const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
const question = fc.record({
  method: fc.constantFrom('elicitation/create', 'sampling/createMessage', 'roots/list'),
  params: object,
})
const asking = fc.record(
  {
    resultType: fc.constant('input_required'),
    inputRequests: fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), question, { maxKeys: 4 }),
    requestState: fc.string({ unit: 'binary' }),
  },
  { requiredKeys: ['resultType', 'inputRequests'] },
)

/** As another process, or the same one after a reload, gets it. */
const carried = (rounds: Rounds): Rounds => readRounds(JSON.parse(JSON.stringify(rounds)))

const asked = (rounds: Rounds, result: JsonObject): Rounds => {
  const step = nextStep(rounds, result, { maxRounds: Infinity })
  if (step.type !== 'ask') throw new Error(`${step.type}, not ask`)
  return step.rounds
}

describe('a request in rounds', () => {
  it('is the same after it was stored at any point', () => {
    fc.assert(
      fc.property(
        object,
        fc.array(asking, { maxLength: 4 }),
        fc.array(object),
        (params, results, answers) => {
          let kept = beginRounds('tools/call', params)
          let stored = carried(kept)
          for (const result of results) {
            kept = asked(kept, result)
            stored = carried(asked(stored, result))
            for (const [index, [key]] of openQuestions(kept).entries()) {
              const answer = answers[index]
              // Some stay open: partial answers are sent, and the server asks the others again.
              if (answer === undefined) continue
              kept = withAnswer(kept, key, answer)
              stored = carried(withAnswer(stored, key, answer))
            }
            expect(JSON.stringify(paramsOfRound(stored))).toBe(JSON.stringify(paramsOfRound(kept)))
          }
          expect(stored).toEqual(JSON.parse(JSON.stringify(kept)))
          expect(openQuestions(stored).map(([key]) => key)).toEqual(openQuestions(kept).map(([key]) => key))
        },
      ),
    )
  })

  it('repeats the parameters, and sends the answers of the last round with the exact state', () => {
    const who = { method: 'elicitation/create', params: { message: 'Who?' } }
    const first = asked(beginRounds('tools/call', { name: 'x', arguments: { a: 1 } }), {
      resultType: 'input_required',
      inputRequests: { who, where: { method: 'roots/list' } },
      requestState: 'a',
    })
    expect(paramsOfRound(first)).toEqual({ name: 'x', arguments: { a: 1 }, requestState: 'a' })
    const half = withAnswer(first, 'who', { action: 'decline' })
    expect(openQuestions(half)).toEqual([['where', { method: 'roots/list', params: {} }]])
    expect(paramsOfRound(half)).toEqual({
      name: 'x',
      arguments: { a: 1 },
      inputResponses: { who: { action: 'decline' } },
      requestState: 'a',
    })
    const second = asked(half, { resultType: 'input_required', inputRequests: { who } })
    expect(paramsOfRound(second)).toEqual({ name: 'x', arguments: { a: 1 } })
    expect(() => withAnswer(second, 'where', {})).toThrow(RangeError)
  })

  it('is paced where the server asks nothing, and ends where nothing comes of it', () => {
    const again = { resultType: 'input_required', requestState: 's' }
    let rounds = beginRounds('prompts/get', { name: 'p' })
    expect(pauseBefore(rounds)).toBe(0)
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      rounds = asked(rounds, again)
      expect(pauseBefore(rounds)).toBeGreaterThan(0)
    }
    expect(nextStep(rounds, again)).toMatchObject({ type: 'endless' })
    expect(nextStep(rounds, { resultType: 'complete' })).toMatchObject({ type: 'complete' })
  })

  it('knows the types of results that were declared, and no other', () => {
    const rounds = beginRounds('tools/call', {})
    expect(nextStep(rounds, { resultType: 'task' })).toMatchObject({ type: 'invalid' })
    expect(nextStep(rounds, { resultType: 'task' }, { extensionTypes: ['task'] })).toEqual({
      type: 'complete',
      resultType: 'task',
    })
    expect(nextStep(rounds, { resultType: 7 })).toMatchObject({ type: 'invalid' })
  })

  it.each([
    [null],
    [{}],
    [{ method: 'm', params: [], round: 0, questions: {}, answers: {} }],
    [{ method: 'm', params: {}, round: -1, questions: {}, answers: {} }],
    [{ method: 'm', params: {}, round: 0, questions: { a: {} }, answers: {} }],
    [{ method: 'm', params: {}, round: 0, questions: {}, answers: { a: {} } }],
    [{ method: 'm', params: {}, round: 1, questions: {}, answers: {}, requestState: 1 }],
  ])('is not read from %j', (value) => {
    expect(() => readRounds(value)).toThrow(TypeError)
  })
})
