import { expect, it } from 'vitest'
import { answerCall, timeLimitOf } from './answer-call.ts'

const signal = new AbortController().signal

it('gives an answer the time of its delay and its script beside its own', () => {
  const fixed = { kind: 'fixed', result: {} } as const
  expect(timeLimitOf(fixed)).toBe(60_000)
  expect(timeLimitOf({ ...fixed, delayMs: 500 })).toBe(60_500)
  expect(timeLimitOf({ kind: 'code', code: '', timeoutMs: 7, delayMs: 500 })).toBe(60_507)
})

it('fills templates with the call, keeps the digits of a script, and throws errors', async () => {
  const template = { kind: 'template', template: { text: 'Hello {{arguments.name}}' } } as const
  const call = { arguments: { name: 'Ada' } }
  expect(await answerCall(template, call, {}, signal)).toEqual({ text: 'Hello Ada' })
  const script = { kind: 'code', code: 'x' } as const
  await expect(answerCall(script, call, {}, signal)).rejects.toThrow('trust the workspace first')
  const run = (): Promise<string> => Promise.resolve('{"n":1.50}')
  expect(await answerCall(script, call, { run }, signal)).toMatchObject({ n: expect.anything() as unknown })
  const error = { kind: 'error', code: -32_000, message: 'no', data: [1] } as const
  await expect(answerCall(error, call, {}, signal)).rejects.toMatchObject({ code: -32_000, data: [1] })
})

it('ends a delay with the reason of the signal', async () => {
  const controller = new AbortController()
  const answer = answerCall({ kind: 'fixed', result: {}, delayMs: 60_000 }, {}, {}, controller.signal)
  controller.abort(new Error('cancelled by the client'))
  await expect(answer).rejects.toThrow('cancelled by the client')
})
