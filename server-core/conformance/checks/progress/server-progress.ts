import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '../../../protocol/json.ts'
import { passiveCheck, serverCheck } from '../../check.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'

const PROGRESS = 'notifications/progress'

export const token = serverCheck(
  'progress.server.token',
  async (probe) => {
    const tool = probe.fixture('progress')
    const connection = await probe.connect()
    for (const given of ['t', 7, '']) {
      const from = connection.received.length
      const params = { name: tool.name, arguments: tool.arguments, _meta: { progressToken: given } }
      const outcome = await connection.call('tools/call', params)
      if (outcome.type !== 'result') probe.inconclusive(describeOutcome(outcome))
      for (const { message, frame } of connection.received.slice(from)) {
        if (message['method'] !== PROGRESS) continue
        const notice = isJsonObject(message['params']) ? message['params'] : {}
        probe.expect(isDeepStrictEqual(notice['progressToken'], given), {
          expected: `the token ${shortJson(given)}`,
          actual: shortJson(notice['progressToken']),
          statement: 'progress.notification-content',
          member: '/params/progressToken',
          frame: [frame, outcome.sent],
        })
        const { progress, total } = notice
        probe.expect(typeof progress === 'number' && (total === undefined || typeof total === 'number'), {
          expected: 'numbers as progress and total',
          actual: shortJson({ progress, total }),
          statement: 'progress.notification-content',
          member: typeof progress === 'number' ? '/params/total' : '/params/progress',
          frame,
        })
      }
    }
  },
  { title: 'Progress carries the token of its request' },
)

export const noneWithoutToken = serverCheck(
  'progress.server.none-without-token',
  async (probe) => {
    const tool = probe.fixture('progress')
    const connection = await probe.connect()
    const from = connection.received.length
    const outcome = await connection.call('tools/call', { name: tool.name, arguments: tool.arguments })
    if (outcome.type !== 'result') probe.inconclusive(describeOutcome(outcome))
    await connection.tryBarrier()
    for (const { message, frame } of connection.received.slice(from)) {
      if (message['method'] !== PROGRESS) continue
      probe.fail({
        expected: 'no progress without a token',
        actual: shortJson(message['params']),
        member: '/params/progressToken',
        frame: [frame, outcome.sent],
      })
    }
  },
  { title: 'No progress without a token' },
)

export const increasing = passiveCheck(
  'progress.server.increasing',
  (transcript) => {
    const last = new Map<string, number>()
    for (const seen of transcript.messages) {
      const { message, frame, from, kind, pointer } = seen
      const params = isJsonObject(message['params']) ? message['params'] : {}
      const place = `${frame.connection.number}`
      if (kind === 'request' && from !== transcript.side) {
        const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
        // A token may be given again to a later request.
        const ending = ` ${JSON.stringify(meta['progressToken'])}`
        for (const key of last.keys())
          if (key.startsWith(`${place} `) && key.endsWith(ending)) last.delete(key)
      }
      if (from !== transcript.side || message['method'] !== PROGRESS) continue
      const { progressToken, progress } = params
      if (typeof progress !== 'number') continue
      transcript.see()
      // Streams have no common order, and a resumed one delivers again what came after the named event.
      const key = `${place} ${String(frame.http?.exchange)} ${JSON.stringify(progressToken)}`
      const before = last.get(key)
      last.set(key, progress)
      if (before === undefined || progress > before) continue
      transcript.fail({
        expected: `more than ${before}`,
        actual: String(progress),
        member: `${pointer}/params/progress`,
        frame,
      })
    }
  },
  { title: 'Progress rises' },
)
