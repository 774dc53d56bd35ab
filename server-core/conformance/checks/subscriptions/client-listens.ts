import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '../../../protocol/json.ts'
import { clientCheck } from '../../check.ts'
import type { ClientExam } from '../../exam/client-exam.ts'
import { shortJson } from '../../probe/outcome.ts'
import { acceptListens, endOfListen } from './exam-listens.ts'

function announceEverything(exam: ClientExam): void {
  const { capabilities } = exam.content
  exam.content.capabilities = {
    ...capabilities,
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
  }
}

export const clientAck = clientCheck(
  'subscriptions.client.ack',
  async (exam) => {
    announceEverything(exam)
    exam.set({ requestTimeoutMs: Math.max(2_500, exam.waits.answerMs / 2) })
    const asked = { toolsListChanged: true, promptsListChanged: true }
    const acknowledgements = [
      () => ({ toolsListChanged: true }),
      () => undefined,
      (id: unknown) => ({ foreign: `not ${String(id)}` }),
    ]
    let round = 0
    const taken = acceptListens(exam, (filter, id) => {
      const made = acknowledgements[round]?.(id)
      if (made === undefined) return undefined
      return 'foreign' in made ? { accepted: filter, id: made.foreign } : { accepted: made, id }
    })
    await exam.connect()
    for (const what of ['less than was asked for', 'nothing', 'the listen of another id']) {
      const { length } = taken
      const outcome = await exam.step({ type: 'listen', filter: asked })
      if (taken.length === length) exam.inconclusive('the client did not send subscriptions/listen')
      const value = outcome.type === 'done' && isJsonObject(outcome.value) ? outcome.value : undefined
      const accepted = value?.['accepted']
      const isReported = outcome.type === 'failed' || (round === 0 && !isDeepStrictEqual(accepted, asked))
      exam.expect(isReported, {
        severity: 'warning',
        expected: `the client notices that the server acknowledged ${what}`,
        actual: accepted === undefined ? 'a listen as if all was accepted' : shortJson(accepted),
        frame: exam.messagesOf('subscriptions/listen').at(-1)?.frame,
      })
      round += 1
    }
    const after = await exam.step({ type: 'list', list: 'tools' })
    exam.expect(after.type === 'done', {
      severity: 'warning',
      expected: 'the connection kept',
      actual: after.type === 'failed' ? after.message : '',
      frame: exam.received.at(-1)?.frame,
    })
  },
  { title: 'The client reads what of its listen was accepted' },
)

/** More listens in a row than a client opens that waits between them. */
const MANY = 8

export const clientEnd = clientCheck(
  'subscriptions.client.end',
  async (exam) => {
    announceEverything(exam)
    let isDropping = false
    const taken = acceptListens(exam, undefined, (listen, count) => {
      // Stops a client that never waits.
      if (count > 200) return { silent: true }
      return isDropping ? { close: true } : endOfListen(listen)
    })
    await exam.connect()
    const phases = [
      { what: 'ended by its result', drops: false },
      // Elsewhere a drop is the end of the whole connection.
      ...(exam.cell.transport === 'http' ? [{ what: 'dropped', drops: true }] : []),
    ]
    for (const { what, drops } of phases) {
      isDropping = drops
      const { length } = taken
      const uri = `exam://text${drops ? '/other' : ''}`
      await exam.step({ type: 'subscribe', uri })
      if (taken.length === length) exam.inconclusive('the client did not send subscriptions/listen')
      await exam.step({ type: 'idle', milliseconds: Math.max(1_000, exam.waits.silenceMs) })
      const opened = taken.length - length
      exam.expect(opened <= MANY, {
        severity: 'warning',
        expected: `a pause before the client listens again after a listen was ${what}`,
        actual: `${opened} listens in a row`,
        statement: drops ? 'subscriptions.abrupt-reconnect' : 'subscriptions.graceful-end',
        frame: exam.messagesOf('subscriptions/listen').at(-1)?.frame,
      })
    }
  },
  { title: 'The client does not listen again without a pause' },
)
