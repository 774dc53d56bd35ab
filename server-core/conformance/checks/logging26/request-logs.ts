import { LOG_LEVELS } from '../../../protocol/log-level.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import { serverCheck } from '../../check.ts'
import type { InMessage } from '../../probe/inbox.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { LOG_MESSAGE, loggedBy, severityOf } from '../logging/server-logs.ts'
import { sendListen, tagOf } from '../subscriptions/listen.ts'

const ALL_KINDS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }

const isLog = ({ message }: InMessage) => message['method'] === LOG_MESSAGE

export const logGate = serverCheck(
  'logging26.server.gate',
  async (probe) => {
    const tool = probe.fixture('logging')
    const connection = await probe.connect()
    // A server without listens refuses this, which is no matter here.
    await sendListen(connection, ALL_KINDS)
    for (const { message, frame } of await loggedBy(connection, tool)) {
      probe.fail({
        expected: 'no log message without a log level in the request',
        actual: shortJson(message['params']),
        member: '/method',
        frame,
      })
    }
  },
  { title: 'Nothing is logged without a log level' },
)

export const logThreshold = serverCheck(
  'logging26.server.threshold',
  async (probe) => {
    const { name, arguments: args } = probe.fixture('logging')
    const connection = await probe.connect()
    const listen = await sendListen(connection, ALL_KINDS)
    const from = connection.received.length
    const params = { name, arguments: args }
    const [leveled, plain] = await Promise.all([
      connection.call('tools/call', params, { envelope: { [MetaKey.logLevel]: 'warning' } }),
      connection.call('tools/call', params),
    ])
    await connection.barrier()
    if (leveled.type !== 'result') probe.inconclusive(`${name}: ${describeOutcome(leveled)}`)
    const received = connection.received.slice(from)
    const answered = received.findIndex(({ frame }) => frame === leveled.frame)
    const floor = LOG_LEVELS.indexOf('warning')
    for (const [place, item] of received.entries()) {
      if (!isLog(item)) continue
      const report = reporter(probe, item)
      if ((severityOf(item.message) ?? 0) < floor)
        report('logging.threshold-modern', 'messages from warning up', shortJson(item.message['params']))
      const isListens = tagOf(item.message) !== undefined || isOn(item, listen.sent.exchange)
      if (isListens)
        report('logging.own-stream-only', 'log messages on the stream of their request', 'one on a listen')
      else if (isOn(item, plain.exchange))
        report(
          'logging.own-stream-only',
          'log messages on the stream of their request',
          'one on that of another',
        )
      else if (place > answered)
        report('logging.own-stream-only', 'log messages before the answer', 'one after the answer')
    }
  },
  { title: 'Log messages follow the level and stream of their request' },
)

function isOn({ source }: InMessage, exchange: object | undefined): boolean {
  return exchange !== undefined && source === exchange
}

function reporter(probe: ServerProbe, { frame }: InMessage) {
  return (statement: string, expected: string, actual: string) => {
    probe.fail({ statement, expected, actual, member: '/params/level', frame })
  }
}

export const badRequestLevel = serverCheck(
  'logging26.server.bad-level',
  async (probe) => {
    const connection = await probe.connect()
    const method = probe.declares('tools') ? 'tools/list' : 'server/discover'
    const outcome = await connection.call(method, {}, { envelope: { [MetaKey.logLevel]: 'verbose' } })
    probe.expect(outcome.type === 'error' && outcome.code === -32602, {
      severity: 'warning',
      expected: 'error -32602 for the log level "verbose"',
      actual: describeOutcome(outcome),
      member: outcome.type === 'error' ? '/error/code' : '/result',
      frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
    })
  },
  { title: 'Unknown log levels of a request are refused with -32602' },
)
