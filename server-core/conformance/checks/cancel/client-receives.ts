import type { JsonObject } from '../../../protocol/json.ts'
import { clientCheck } from '../../check.ts'
import { describeEnding } from '../../exam/client-exam.ts'
import { isResponse } from '../../probe/inbox.ts'
import { shortJson } from '../../probe/outcome.ts'
import { elapsed } from '../../probe/waits.ts'
import { CANCELLED } from './slow-calls.ts'

const ASKED = 'patchbay-asked'
const ANSWERS_AFTER_MS = 700

export const clientNoAnswer = clientCheck(
  'cancel.client.no-answer',
  async (exam) => {
    const seen = { isAnswering: false, wasEarly: false }
    const cancelled = Promise.withResolvers<undefined>()
    exam.set({
      capabilities: ['sampling'],
      answers: {
        'sampling/createMessage': async () => {
          seen.isAnswering = true
          await cancelled.promise
          await elapsed(ANSWERS_AFTER_MS)
          return { role: 'assistant', content: { type: 'text', text: 'late' }, model: 'none' }
        },
      },
    })
    const isAnswer = ({ message }: { message: JsonObject }) => isResponse(message) && message['id'] === ASKED
    exam.on('tools/call', async (turn) => {
      const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }], maxTokens: 5 }
      turn.send({ jsonrpc: '2.0', id: ASKED, method: 'sampling/createMessage', params })
      await elapsed(200)
      seen.wasEarly = exam.received.some(isAnswer)
      turn.send({ jsonrpc: '2.0', method: CANCELLED, params: { requestId: ASKED } })
      cancelled.resolve(undefined)
      await elapsed(ANSWERS_AFTER_MS + 300)
      return turn.usual()
    })
    await exam.connect()
    await exam.step({ type: 'call', tool: 'echo' })
    if (seen.wasEarly || !seen.isAnswering) return exam.inconclusive('the client does not answer slowly')
    const answer = exam.received.find(isAnswer)
    if (answer === undefined) return
    exam.warn({
      expected: 'no answer to a cancelled request',
      actual: shortJson(answer.message),
      member: '/id',
      frame: answer.frame,
    })
  },
  { title: 'Clients do not answer cancelled requests' },
)

export const clientUnknownIgnored = clientCheck(
  'cancel.client.unknown-ignored',
  async (exam) => {
    let finished: unknown
    exam.on('tools/list', (turn) => {
      finished = turn.request['id']
      return turn.usual()
    })
    exam.on('tools/call', async (turn) => {
      const targets: readonly JsonObject[] = [
        { requestId: 'patchbay-none', reason: 'none' },
        { requestId: finished ?? 0 },
        { reason: 'none' },
        { requestId: { a: 1 } },
        { requestId: null },
      ]
      for (const params of targets) turn.send({ jsonrpc: '2.0', method: CANCELLED, params })
      await elapsed(exam.waits.silenceMs)
      return turn.usual()
    })
    await exam.connect()
    await exam.step({ type: 'list', list: 'tools' })
    for (const text of ['one', 'two']) {
      const ending = await exam.ending(exam.step({ type: 'call', tool: 'echo', arguments: { text } }))
      const value = ending.type === 'done' ? JSON.stringify(ending.value) : ''
      exam.expect(value.includes(text), {
        expected: 'the answer of the call, whatever was cancelled',
        actual: ending.type === 'done' ? value : describeEnding(ending),
        frame: exam.messagesOf('tools/call').at(-1)?.frame,
      })
    }
    for (const { message, frame } of exam.received) {
      if (!isResponse(message) || !('error' in message)) continue
      exam.fail({ expected: 'no answer to a notification', actual: shortJson(message), frame })
    }
  },
  { title: 'Clients ignore cancellations of unknown requests' },
)
