import { clientCheck, serverCheck } from '../../check.ts'
import { describeEnding } from '../../exam/client-exam.ts'
import { describeOutcome } from '../../probe/outcome.ts'

/** A peer stays silent for so many waits: two minutes, usually. */
const SILENCES = 120
/** So many pings a second are too many. */
const MOST_PER_SECOND = 1

export const silence = clientCheck(
  'ping.silence',
  async (exam) => {
    const milliseconds = exam.waits.silenceMs * SILENCES
    exam.on('ping', () => ({ silent: true }))
    await exam.connect()
    const idle = await exam.ending(exam.step({ type: 'idle', milliseconds }), milliseconds * 2)
    const pings = exam.messagesOf('ping')
    const frame = pings.at(-1)?.frame ?? exam.received.at(-1)?.frame
    exam.expect(idle.type === 'done', {
      expected: 'a client that copes with a silent server',
      actual: describeEnding(idle),
      statement: 'ping.timeout-stale',
      frame,
    })
    const next = await exam.ending(exam.step({ type: 'list', list: 'tools' }))
    exam.expect(next.type !== 'hangs', {
      expected: 'the next request to end after a silence',
      actual: describeEnding(next),
      statement: 'ping.timeout-stale',
      frame,
    })
    if (pings.length === 0)
      exam.inform({
        expected: 'a ping now and then',
        actual: 'none',
        statement: 'ping.periodic',
        frame,
      })
  },
  { title: 'Clients cope with a silent server', slow: true },
)

export const unanswered = serverCheck(
  'ping.server.unanswered',
  async (probe) => {
    const milliseconds = probe.waits.silenceMs * SILENCES
    const connection = await probe.connect()
    const received = await connection.silence(milliseconds)
    const pings = received.filter(({ message }) => message['method'] === 'ping')
    const [first] = pings
    if (first === undefined) return probe.notApplicable('the server does not ping')
    const seconds = Math.max(1, ((pings.at(-1)?.frame.at ?? first.frame.at) - first.frame.at) / 1_000)
    probe.expect(pings.length / seconds <= MOST_PER_SECOND + 1 / seconds, {
      expected: 'a ping a second at most while they are not answered',
      actual: `${pings.length} in ${Math.round(seconds)} s`,
      statement: 'ping.periodic',
      frame: pings.slice(0, 5).map(({ frame }) => frame),
    })
    // A server that closes the connection in order has given up, as it may.
    if (connection.closedReason !== undefined) {
      const isCrash = connection.transport === 'stdio' && /exit code [1-9]|SIG/.test(connection.closedReason)
      probe.expect(!isCrash, {
        expected: 'an orderly end',
        actual: connection.closedReason,
        statement: 'ping.timeout-stale',
      })
      return
    }
    const outcome = await connection.tryBarrier()
    probe.expect(outcome.type !== 'silence', {
      expected: 'service, or an end of the connection',
      actual: describeOutcome(outcome),
      statement: 'ping.timeout-stale',
      frame: outcome.sent,
    })
  },
  { title: 'Servers cope with pings that are not answered', slow: true },
)
