import { describe, expect, it } from 'vitest'
import type { RequestOutcome } from '../../server-core/host/contract/inspect.ts'
import { argumentsText, changeArguments } from './form/arguments-state.ts'
import { stepTo, typeText } from './form/draft-edits.ts'
import { addEndedCalls, changeWork, endCall, takeSchema, workOf } from './work-store.ts'

const schema = { type: 'object', properties: { city: { type: 'string' } } }
const failure: RequestOutcome = { type: 'failure', code: 'timeout', message: '', durationMs: 1, revision: '' }

describe('the work of a tab', () => {
  it('is the same each time it is asked for, and keeps what was typed when the schema changes', () => {
    const work = workOf('typed', schema, 'call')
    const { spec, arguments: before } = work.get()
    changeWork(work, {
      arguments: changeArguments(spec, before, stepTo('', 'm', 'city'), typeText('Oslo', true)),
    })
    expect(workOf('typed', schema, 'call')).toBe(work)
    takeSchema(work, { ...schema, properties: { ...schema.properties, days: { type: 'integer' } } })
    const after = work.get()
    expect(argumentsText(after.spec, after.arguments)).toBe('{\n  "city": "Oslo"\n}')
  })

  it('shows the answer of the request that is running, and keeps a late one in the history', () => {
    const work = workOf('calls', schema, 'call')
    const first = { callId: 'first', at: 1, text: '{}' }
    const second = { callId: 'second', at: 2, text: '{}' }
    changeWork(work, { running: second })
    endCall(work, first, failure)
    expect(work.get()).toMatchObject({ running: second, history: [{ at: 1 }] })
    expect(work.get().shown).toBeUndefined()
    endCall(work, second, failure)
    expect(work.get().running).toBeUndefined()
    expect(work.get().shown).toMatchObject({ at: 2 })
    expect(work.get().history.map((record) => record.at)).toEqual([2, 1])
  })

  it('takes in the calls that ended before the page was loaded, once', () => {
    const work = workOf('restored', schema, 'call')
    const ended = [2, 1].map((at) => ({ callId: String(at), at, argumentsText: '{}', outcome: failure }))
    addEndedCalls(work, ended)
    expect(work.get()).toMatchObject({ shown: { at: 2 }, history: [{ at: 2 }, { at: 1 }] })
    endCall(work, { callId: '3', at: 3, text: '{}' }, failure)
    addEndedCalls(work, [{ callId: '3', at: 3, argumentsText: '{}', outcome: failure }, ...ended])
    expect(work.get().history.map((record) => record.at)).toEqual([3, 2, 1])
    expect(work.get().shown).toMatchObject({ at: 3 })
  })

  it('keeps at most fifty calls', () => {
    const work = workOf('many', schema, 'call')
    for (let at = 0; at < 60; at += 1) endCall(work, { callId: String(at), at, text: '{}' }, failure)
    expect(work.get().history).toHaveLength(50)
    expect(work.get().history[0]?.at).toBe(59)
  })

  it('shows the call that was shown before the page was loaded, else the newest', () => {
    const ended = ['3', '2', '1'].map((callId) => {
      return { callId, at: Number(callId), argumentsText: '{}', outcome: failure, isEarlier: true as const }
    })
    for (const [tab, shownBefore, shown] of [
      ['one', '2', '2'],
      ['another', 'discarded', '3'],
    ] as const) {
      const work = workOf(tab, schema, 'call')
      changeWork(work, { shownBefore })
      addEndedCalls(work, ended)
      expect(work.get().shown).toMatchObject({ id: shown, isEarlier: true })
    }
  })
})
