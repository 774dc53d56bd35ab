import { isJsonObject } from '../../../protocol/json.ts'
import { clientCheck, serverCheck } from '../../check.ts'
import { describeEnding } from '../../exam/client-exam.ts'
import { describeOutcome } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { elapsed } from '../../probe/waits.ts'
import { answerNoCall } from '../cancel/client-cancels.ts'

const TIMEOUT_MS = 700
/** A client has so long to give up after its timeout. */
const GRACE_MS = 5_000

export const timeoutClient = clientCheck(
  'lifecycle.timeout.client',
  async (exam) => {
    const findCall = answerNoCall(exam)
    await exam.connect()
    const step = exam.step({ type: 'call', tool: 'echo', timeoutMs: TIMEOUT_MS })
    const call = await findCall()
    const ending = await exam.ending(step, TIMEOUT_MS + GRACE_MS)
    if (ending.type !== 'failed') {
      exam.warn({
        expected: `an end of the call ${TIMEOUT_MS} ms after it began`,
        actual: describeEnding(ending),
        statement: 'lifecycle.timeouts',
        frame: call.frame,
      })
      return
    }
    if ((await call.signals()) === 0)
      exam.warn({
        expected: 'a request that timed out cancelled',
        actual: 'nothing',
        statement: exam.isModern ? 'cancel.timeout-modern' : 'lifecycle.timeouts.cancel',
        frame: call.frame,
      })
    const next = await exam.ending(exam.step({ type: 'list', list: 'tools' }))
    exam.expect(next.type === 'done', {
      expected: 'a client that goes on after a timeout',
      actual: describeEnding(next),
      statement: 'lifecycle.timeouts',
      frame: call.frame,
    })
  },
  { title: 'Clients give up, and cancel what they gave up' },
)

const MAXIMUM_MS = 2_000
const PROGRESS_EVERY_MS = 200

export const timeoutMaximum = clientCheck(
  'lifecycle.timeout.maximum',
  async (exam) => {
    let isOver = false
    exam.on('tools/call', async (turn) => {
      const { _meta: meta } = turn.params
      const token = isJsonObject(meta) ? meta['progressToken'] : undefined
      if (token === undefined) return exam.inconclusive('the client asked for no progress')
      for (let progress = 1; !isOver; progress += 1) {
        const params = { progressToken: token, progress }
        turn.send({ jsonrpc: '2.0', method: 'notifications/progress', params })
        await elapsed(PROGRESS_EVERY_MS)
      }
      return { silent: true }
    })
    await exam.connect()
    const ending = await exam.ending(
      exam.step({
        type: 'call',
        tool: 'echo',
        progress: true,
        timeoutMs: TIMEOUT_MS,
        maximumMs: MAXIMUM_MS,
      }),
      MAXIMUM_MS + GRACE_MS,
    )
    isOver = true
    if (ending.type === 'failed') return
    exam.warn({
      expected: `an end of the call after ${MAXIMUM_MS} ms in all`,
      actual: describeEnding(ending),
      frame: exam.messagesOf('tools/call')[0]?.frame,
    })
  },
  { title: 'Progress does not keep a call open for ever' },
)

/** How long a server may wait for an answer, if nothing is known of it. */
const LONGEST_MS = 15 * 60_000

/** Calls a tool that asks the client, and lets `meanwhile` run instead of an answer. */
async function leaveUnanswered(
  probe: ServerProbe,
  kind: 'asks-slowly' | 'asks-with-progress',
  statement: string,
  meanwhile: (send: (progress: number) => Promise<void>, isOver: () => boolean) => Promise<void>,
): Promise<void> {
  const tool =
    kind === 'asks-slowly' ? (probe.findFixture(kind) ?? probe.fixture('sampling')) : probe.fixture(kind)
  const limit = probe.support.givesUpAfterMs ?? LONGEST_MS
  const connection = await probe.connect({ capabilities: { sampling: {}, elicitation: {}, roots: {} } })
  let isOver = false
  const call = connection
    .call('tools/call', { name: tool.name, arguments: tool.arguments }, { timeoutMs: limit })
    .finally(() => {
      isOver = true
    })
  const asked = await connection.waitFor(({ message }) => message['method'] !== undefined && 'id' in message)
  if (asked === undefined) return probe.inconclusive('the tool did not ask the client')
  const params = isJsonObject(asked.message['params']) ? asked.message['params'] : {}
  const token = isJsonObject(params['_meta']) ? params['_meta']['progressToken'] : undefined
  const send = async (progress: number) => {
    await connection.notify('notifications/progress', { progressToken: token, progress })
  }
  await meanwhile(send, () => isOver)
  const outcome = await call
  if (outcome.type === 'result' || outcome.type === 'error') return
  probe.warn({
    expected: `an end of the call within ${limit} ms`,
    actual: describeOutcome(outcome),
    statement,
    frame: [asked.frame, outcome.sent],
  })
}

export const timeoutServer = serverCheck(
  'lifecycle.timeout.server',
  (probe) => leaveUnanswered(probe, 'asks-slowly', 'lifecycle.timeouts', () => Promise.resolve()),
  { title: 'Servers give up questions that are not answered', slow: true },
)

export const timeoutServerMaximum = serverCheck(
  'lifecycle.timeout.server-maximum',
  async (probe) => {
    if (probe.isModern) return probe.notApplicable('questions of 2026-07-28 are not requests')
    await leaveUnanswered(probe, 'asks-with-progress', 'lifecycle.timeouts.maximum', async (send, isOver) => {
      for (let progress = 1; !isOver(); progress += 1) {
        await send(progress)
        await elapsed(PROGRESS_EVERY_MS)
      }
    })
  },
  { title: 'Progress does not keep a question open for ever', slow: true },
)
