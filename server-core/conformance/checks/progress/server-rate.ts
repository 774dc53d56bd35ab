import { isJsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import type { InMessage } from '../../probe/inbox.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'

const PROGRESS = 'notifications/progress'
const MOST_PER_SECOND = 1_000

export const rate = serverCheck(
  'progress.server.rate',
  async (probe) => {
    const tool = probe.fixture('frequent-progress')
    const connection = await probe.connect()
    const outcome = await connection.call(
      'tools/call',
      { name: tool.name, arguments: tool.arguments, _meta: { progressToken: 'patchbay-rate' } },
      { timeoutMs: probe.waits.answerMs * 4 },
    )
    if (outcome.type !== 'result') return probe.inconclusive(describeOutcome(outcome))
    const frames = connection.received
      .filter(({ message }) => message['method'] === PROGRESS)
      .map(({ frame }) => frame)
    let most = 0
    for (let first = 0, last = 0; last < frames.length; last += 1) {
      const at = frames[last]?.at ?? 0
      while (at - (frames[first]?.at ?? at) >= 1_000) first += 1
      most = Math.max(most, last - first + 1)
    }
    if (most <= MOST_PER_SECOND) return
    probe.warn({
      expected: `at most ${MOST_PER_SECOND} progress notifications in a second`,
      actual: `${most}`,
      frame: frames.slice(0, 3),
    })
  },
  { title: 'Progress does not flood the client' },
)

export const serverTolerant = serverCheck(
  'progress.server.tolerant',
  async (probe) => {
    const tool = probe.fixture('asks-with-progress')
    const connection = await probe.connect({ capabilities: { sampling: {}, elicitation: {}, roots: {} } })
    const params = { name: tool.name, arguments: tool.arguments }
    const from = connection.received.length
    const calls = [connection.call('tools/call', params), connection.call('tools/call', params)]
    const tokens: unknown[] = []
    const asked: InMessage[] = []
    for (let count = 0; count < calls.length; count += 1) {
      const question = await connection.waitFor(
        (item) => item.message['method'] !== undefined && 'id' in item.message && !asked.includes(item),
        { from },
      )
      if (question === undefined) return probe.inconclusive('the tool did not ask the client')
      asked.push(question)
      const { params: given } = question.message
      const meta = isJsonObject(given) && isJsonObject(given['_meta']) ? given['_meta'] : {}
      tokens.push(meta['progressToken'])
    }
    if (tokens.includes(undefined)) return probe.inconclusive('the question has no progress token')
    probe.expect(new Set(tokens.map((token) => JSON.stringify(token))).size === tokens.length, {
      expected: 'a token of its own for each open request',
      actual: tokens.map(shortJson).join(', '),
      statement: 'progress.token-unique',
      member: '/params/_meta/progressToken',
      frame: asked.map(({ frame }) => frame),
    })
    const answer = { role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'none' }
    const [progressToken] = tokens
    for (const notice of [
      { progressToken, progress: 0.5 },
      { progressToken, progress: 0.25, total: 0.1 },
      { progressToken: 'patchbay-unknown', progress: 1 },
    ])
      await connection.notify(PROGRESS, notice)
    for (const { message } of asked) await connection.answer(message, answer)
    await connection.notify(PROGRESS, { progressToken, progress: 9 })
    for (const outcome of await Promise.all(calls))
      probe.expect(outcome.type === 'result', {
        expected: 'a call that completes, whatever progress came',
        actual: describeOutcome(outcome),
        statement: 'progress.float',
        frame: outcome.frame ?? outcome.sent,
      })
    const after = await connection.tryBarrier()
    probe.expect(after.type === 'result', {
      expected: 'service after late progress',
      actual: describeOutcome(after),
      statement: 'progress.optional',
      frame: after.sent,
    })
  },
  { title: 'Servers take any progress of their questions' },
)
