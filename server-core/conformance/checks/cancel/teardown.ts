import { isSameId } from '../../probe/inbox.ts'
import { isJsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import { shortJson } from '../../probe/outcome.ts'
import { belongs, openListen, tagOf } from '../subscriptions/listen.ts'
import { CANCELLED } from './slow-calls.ts'

export const listenTeardown = serverCheck(
  'cancel.listen-teardown',
  async (probe) => {
    const tool = probe.fixture('ends-listens')
    const connection = await probe.connect()
    const kinds = ['tools', 'prompts', 'resources'].filter((kind) => probe.declares(`${kind}.listChanged`))
    if (kinds.length === 0) return probe.notApplicable('the server announces no changes')
    const filter = Object.fromEntries(kinds.map((kind) => [`${kind}ListChanged`, true]))
    const listen = await openListen(probe, connection, filter)
    await connection.call('tools/call', { name: tool.name, arguments: tool.arguments })
    const isEnd = ({ message }: { message: Readonly<Record<string, unknown>> }) =>
      (message['method'] === undefined && isSameId(message['id'], listen.id)) ||
      (message['method'] === CANCELLED &&
        isJsonObject(message['params']) &&
        isSameId(message['params']['requestId'], listen.id))
    const end = await connection.waitFor(isEnd, { from: listen.from })
    // The end of a process says enough over stdio.
    if (connection.closedReason !== undefined && connection.transport === 'stdio') return
    if (end === undefined) {
      const isBareClose = listen.sent.exchange?.isEnded === true || connection.closedReason !== undefined
      const finding = {
        expected: 'the result of the listen, or its cancellation',
        actual: isBareClose ? 'the end of the stream alone' : 'nothing',
        frame: listen.sent.frame,
      }
      if (isBareClose) probe.warn(finding)
      else probe.fail(finding)
      return
    }
    await connection.silence()
    const later = connection.received.slice(connection.received.indexOf(end) + 1)
    for (const item of later) {
      if (isEnd(item)) continue
      if (!belongs(connection, item, listen) && !isSameId(tagOf(item.message), listen.id)) continue
      probe.fail({ expected: 'nothing after the end', actual: shortJson(item.message), frame: item.frame })
    }
  },
  { title: 'A listen that the server ends has an end' },
)
