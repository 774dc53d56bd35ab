import type { JsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import type { ProbeConnection } from '../../probe/connection.ts'
import { isSameId, isResponse } from '../../probe/inbox.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { elapsed } from '../../probe/waits.ts'
import { cancel, CANCELLED } from './slow-calls.ts'

/** The barrier must be answered; returns whether it was. */
async function serves(probe: ServerProbe, connection: ProbeConnection, what: string): Promise<boolean> {
  const outcome = await connection.tryBarrier()
  return probe.expect(outcome.type === 'result', {
    expected: `service after a cancellation of ${what}`,
    actual: describeOutcome(outcome),
    frame: outcome.frame ?? outcome.sent,
  })
}

export const unknownIgnored = serverCheck(
  'cancel.server.unknown-ignored',
  async (probe) => {
    const connection = await probe.connect()
    const answered = connection.compose(probe.cheapRequest().method)
    await connection.exchange(answered)
    const cases: readonly { what: string; params: JsonObject; isMalformed?: true }[] = [
      { what: 'an unknown id', params: { requestId: 'patchbay-none', reason: 'none' } },
      { what: 'an answered id', params: { requestId: answered.id } },
      { what: 'no id', params: { reason: 'none' }, isMalformed: true },
      { what: 'an object as id', params: { requestId: { a: 1 } }, isMalformed: true },
      ...(probe.isModern ? [] : [{ what: 'initialize', params: { requestId: 1 } }]),
    ]
    for (const { what, params, isMalformed } of cases) {
      const from = connection.received.length
      const { exchange, frame } = await connection.notify(CANCELLED, params)
      if (exchange !== undefined) {
        await probe.owed(exchange.ended)
        const status = exchange.response?.status ?? 0
        const mayRefuse = isMalformed === true || probe.isModern
        // HTTP+SSE takes messages with any 2xx.
        const isTaken = probe.cell.transport === 'sse' ? status >= 200 && status < 300 : status === 202
        probe.expect(isTaken || (mayRefuse && status >= 400 && status < 500), {
          expected: `HTTP 202 to a cancellation of ${what}`,
          actual: `HTTP ${status}`,
          frame: exchange.responseFrame ?? frame,
        })
      }
      const isServed = await serves(probe, connection, what)
      for (const { message, frame: seen, source } of connection.received.slice(from)) {
        // The body of a refused POST has no id.
        const isBody = source !== undefined && source === exchange && (exchange.response?.status ?? 0) >= 400
        if (!isResponse(message) || isBody || !('error' in message)) continue
        probe.fail({
          expected: `no answer to a cancellation of ${what}`,
          actual: shortJson(message),
          frame: [seen, frame],
        })
      }
      if (!isServed) return
    }
  },
  { title: 'Cancellations of unknown requests are ignored' },
)

const CALLS = 200
const AT_ONCE = 10
const LATEST_MS = 20

export const race = serverCheck(
  'cancel.server.race',
  async (probe) => {
    const tool = probe.findFixture('echo') ?? probe.findFixture('simple')
    const connection = await probe.connect()
    const ids: unknown[] = []
    const moments = Array.from(
      { length: CALLS },
      (_, index) => ((probe.seed + index * 7_919) % 1_000) / 1_000,
    )
    const one = async (moment: number, index: number) => {
      const [text] = Object.keys(tool?.arguments ?? {})
      const args = { ...tool?.arguments, ...(text !== undefined && { [text]: `patchbay-${index}` }) }
      const message =
        tool === undefined
          ? connection.compose(probe.cheapRequest().method)
          : connection.compose('tools/call', { name: tool.name, arguments: args })
      ids.push(message.id)
      const sent = await connection.send(message)
      await elapsed(moment * LATEST_MS)
      await cancel(connection, sent, message.id)
    }
    const queue = [...moments.entries()]
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) await one(next[1], next[0])
      }),
    )
    if (!(await serves(probe, connection, 'quick calls'))) return
    // One whose answer has surely come, which is cancelled all the same.
    const message = connection.compose(probe.cheapRequest().method)
    const { sent, exchange } = await connection.exchange(message)
    await cancel(connection, { frame: sent, ...(exchange !== undefined && { exchange }) }, message.id)
    if (!(await serves(probe, connection, 'an answered call'))) return
    for (const id of ids) {
      const answers = connection.received.filter(
        ({ message: answer }) => isResponse(answer) && isSameId(answer['id'], id),
      )
      if (answers.length < 2) continue
      probe.fail({
        expected: `one answer to ${shortJson(id)} at most`,
        actual: `${answers.length}`,
        frame: answers.map(({ frame }) => frame),
      })
    }
  },
  { title: 'Cancellations that cross their answers do no harm' },
)

export const lateAnswer = serverCheck(
  'cancel.server.late-answer',
  async (probe) => {
    const tool = probe.fixture('asks-slowly')
    const connection = await probe.connect({
      capabilities: { sampling: {}, roots: {}, elicitation: {} },
    })
    const params = { name: tool.name, arguments: tool.arguments }
    const from = connection.received.length
    const call = connection.call('tools/call', params, { timeoutMs: probe.waits.answerMs * 4 })
    const asked = await connection.waitFor(
      ({ message }) => message['method'] !== undefined && 'id' in message,
      { from },
    )
    if (asked === undefined) return probe.inconclusive('the tool did not ask the client')
    const given = await connection.waitForMethod(CANCELLED, { from })
    const outcome = await call
    if (given === undefined && outcome.type === 'silence')
      return probe.inconclusive('the server did not give up its request')
    // A second question, whose answer must not be taken from the late one.
    const second = connection.call('tools/call', params, { timeoutMs: probe.waits.answerMs * 4 })
    const place = connection.received.length
    const again = await connection.waitFor(
      ({ message }) => message['method'] !== undefined && 'id' in message,
      { from: place },
    )
    const late = `patchbay-late-${String(probe.seed)}`
    await connection.answer(asked.message, {
      role: 'assistant',
      content: { type: 'text', text: late },
      model: 'none',
    })
    const next = await second
    const text = next.type === 'result' ? JSON.stringify(next.result) : ''
    const where = { frame: [asked.frame, next.frame ?? next.sent] }
    probe.expect(!text.includes(late), {
      expected: 'a late answer that is ignored',
      actual: 'the answer used for another request',
      statement: 'cancel.late-answer-ignored',
      ...where,
    })
    probe.expect(again !== undefined && (next.type === 'result' || next.type === 'error'), {
      expected: 'the next call to be served after a late answer',
      actual: describeOutcome(next),
      ...where,
    })
  },
  { title: 'Answers to cancelled requests are ignored' },
)
