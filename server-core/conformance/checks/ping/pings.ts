import { isSameId } from '../../probe/inbox.ts'
import { isDeepStrictEqual } from 'node:util'
import { clientCheck, serverCheck } from '../../check.ts'
import type { Examination } from '../../examination.ts'
import { describeOutcome, type Outcome } from '../../probe/outcome.ts'

function judge(examination: Examination, outcome: Outcome, when: string): void {
  const where = { frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent] }
  if (outcome.type !== 'result') {
    examination.fail({ expected: `a ping answered ${when}`, actual: describeOutcome(outcome), ...where })
    return
  }
  const { _meta, ...rest } = outcome.result
  if (!isDeepStrictEqual(rest, {}))
    examination.warn({
      expected: 'an empty result',
      actual: describeOutcome(outcome),
      member: '/result',
      ...where,
    })
}

export const pingServer = serverCheck(
  'ping.server',
  async (probe) => {
    const connection = await probe.connect()
    judge(probe, await connection.call('ping'), 'without parameters')
    judge(probe, await connection.call('ping', { _meta: { 'com.example/a': 1 } }), 'with metadata')
    const many = await Promise.all(Array.from({ length: 10 }, () => connection.call('ping')))
    for (const outcome of many) judge(probe, outcome, 'among ten')
    const slow = probe.findFixture('slow')
    if (slow === undefined) return
    const from = connection.received.length
    const args = { ...slow.arguments, milliseconds: 20_000 }
    const message = connection.compose('tools/call', { name: slow.name, arguments: args })
    await connection.send(message)
    const outcome = await connection.call('ping')
    const isOver = connection.received
      .slice(from)
      .some(({ message: answer }) => isSameId(answer['id'], message.id))
    if (isOver) return
    judge(probe, outcome, 'during a call')
    await connection.notify('notifications/cancelled', { requestId: message.id })
  },
  { title: 'Pings are answered' },
)

export const pingClient = clientCheck(
  'ping.client',
  async (exam) => {
    const during: Outcome[] = []
    exam.on('tools/call', async (turn) => {
      during.push(await turn.ask('ping'))
      return turn.usual()
    })
    const connection = await exam.connect()
    judge(exam, await connection.request('ping'), 'after the handshake')
    await exam.step({ type: 'call', tool: 'echo', arguments: { text: 'a' } })
    for (const outcome of during) judge(exam, outcome, 'during a call')
  },
  { title: 'The client answers pings' },
)
