import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { clientCheck } from '../../check.ts'
import { describeEnding, type ClientExam } from '../../exam/client-exam.ts'
import type { CapturedFrame } from '../../frames/captured-frame.ts'
import { shortJson } from '../../probe/outcome.ts'
import { elapsed } from '../../probe/waits.ts'
import { CANCELLED } from './slow-calls.ts'

/** The cancellations that the client wrote, also before it had a session. */
function cancellationsOf(exam: ClientExam): readonly JsonObject[] {
  const written = exam.exchanges.map(({ json }) => json)
  const messages = exam.cell.transport === 'http' ? written : exam.received.map(({ message }) => message)
  return messages.filter(isJsonObject).filter(({ method }) => method === CANCELLED)
}

/** What a cancellation names. */
function requestIdOf({ params }: JsonObject): unknown {
  return isJsonObject(params) ? params['requestId'] : undefined
}

export const neverInitialize = clientCheck(
  'cancel.client.never-initialize',
  async (exam) => {
    exam.set({ requestTimeoutMs: 4_000 })
    exam.on('initialize', () => ({ silent: true }))
    const ending = await exam.ending(exam.step({ type: 'connect' }))
    await elapsed(exam.waits.silenceMs)
    const initialize =
      exam.messagesOf('initialize')[0]?.message ??
      exam.exchanges
        .map(({ json }) => json)
        .find((json) => isJsonObject(json) && json['method'] === 'initialize')
    if (!isJsonObject(initialize)) return exam.inconclusive('the client never sent initialize')
    if (ending.type === 'hangs') return exam.inconclusive('the client did not give up')
    const cancelled = cancellationsOf(exam).find((each) => requestIdOf(each) === initialize['id'])
    exam.expect(cancelled === undefined, {
      expected: 'no cancellation of initialize',
      actual: shortJson(cancelled),
      member: '/params/requestId',
      frame: exam.messagesOf(CANCELLED)[0]?.frame,
    })
  },
  { title: 'Clients never cancel initialize' },
)

/** A call that is never answered, and how its end is signalled. */
type UnansweredCall = {
  readonly id: unknown
  readonly frame: CapturedFrame
  /** Waits for the signal: `signals` counts the cancellations, or the closed stream in modern HTTP. */
  readonly signals: () => Promise<number>
}

/** Makes the exam server answer no tool; returns a function that finds the call once it came. */
export function answerNoCall(exam: ClientExam): () => Promise<UnansweredCall> {
  let closed = 0
  exam.on('tools/call', (turn) => {
    turn.stream()
    exam.exchanges.at(-1)?.response.once('close', () => {
      closed += 1
    })
    return { silent: true }
  })
  return async () => {
    const call = await exam.waitForMethod('tools/call')
    if (call === undefined) return exam.inconclusive('the client called no tool')
    const { id } = call.message
    const isModernHttp = exam.isModern && exam.cell.transport === 'http'
    const count = () =>
      isModernHttp ? closed : cancellationsOf(exam).filter((each) => requestIdOf(each) === id).length
    const signals = async () => {
      for (const until = performance.now() + exam.waits.answerMs; performance.now() < until;) {
        if (count() > 0) break
        await elapsed(20)
      }
      return count()
    }
    return { id, frame: call.frame, signals }
  }
}

export const signals = clientCheck(
  'cancel.client.signals',
  async (exam) => {
    const findCall = answerNoCall(exam)
    await exam.connect()
    const step = exam.step({ type: 'call', tool: 'echo', cancelAfterMs: 200 })
    const call = await findCall()
    const ending = await exam.ending(step)
    if (ending.type === 'hangs') return exam.inconclusive('the client did not cancel its call')
    const count = await call.signals()
    if (count === 1) return
    const isHttp = exam.cell.transport === 'http'
    const report = exam.isModern ? exam.fail.bind(exam) : exam.warn.bind(exam)
    report({
      expected:
        exam.isModern && isHttp
          ? 'the stream of a cancelled call closed'
          : `one ${CANCELLED} with the id ${shortJson(call.id)}`,
      actual: count === 0 ? 'nothing' : `${count}`,
      statement: !exam.isModern
        ? 'cancel.client-should-notify'
        : isHttp
          ? 'http.post.cancel-explicit'
          : 'cancel.stdio-notify',
      frame: call.frame,
    })
  },
  { title: 'A client says that it cancels' },
)

export const clientLateAnswer = clientCheck(
  'cancel.client.late-answer',
  async (exam) => {
    exam.on('tools/call', async (turn) => {
      if (turn.count < 2) await elapsed(turn.count === 0 ? 600 : 900)
      return turn.usual()
    })
    await exam.connect()
    const first = await exam.step({
      type: 'call',
      tool: 'echo',
      arguments: { text: 'one' },
      cancelAfterMs: 100,
    })
    if (first.type === 'done') return exam.inconclusive('the client did not cancel its call')
    for (const text of ['two', 'three']) {
      const next = await exam.ending(exam.step({ type: 'call', tool: 'echo', arguments: { text } }))
      const value = next.type === 'done' ? JSON.stringify(next.value) : ''
      exam.expect(next.type === 'done' && value.includes(text), {
        expected: `the answer "${text}" to the next call`,
        actual: next.type === 'done' ? value : describeEnding(next),
        frame: exam.messagesOf('tools/call').at(-1)?.frame,
      })
    }
  },
  { title: 'Late answers to cancelled calls are ignored' },
)
