import { clientCheck, serverCheck } from '../../check.ts'
import { describeEnding, type ClientExam } from '../../exam/client-exam.ts'
import type { BridgeEvent } from '../../exam/bridge-carrier.ts'
import { describeOutcome } from '../../probe/outcome.ts'
import type { StdioConnection } from '../../probe/stdio-connection.ts'
import { elapsed } from '../../probe/waits.ts'

/** A process that is left behind is one after so long. */
const SURVIVES_MS = 30_000
/** A client that waits for less has not waited. */
const LEAST_WAIT_MS = 50

function isAlive(pid: unknown): boolean {
  if (typeof pid !== 'number') return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Starts the client, closes it, and returns what it did to its server. */
async function closeWith(
  exam: ClientExam,
  manner: 'polite' | 'ignores the end of input' | 'ignores signals',
): Promise<readonly BridgeEvent[]> {
  const { server, processEvents } = exam
  const from = processEvents.length
  await exam.connect()
  if (manner === 'ignores signals') server.control('ignore-term')
  await elapsed(100)
  const state = { isOver: false }
  const closing = exam.ending(exam.step({ type: 'close' }), SURVIVES_MS).finally(() => {
    state.isOver = true
  })
  const isEnded = () => processEvents.slice(from).some(({ type }) => type === 'input-ended')
  while (manner === 'polite' && !state.isOver) {
    if (isEnded()) server.control('exit 0')
    await elapsed(10)
  }
  await closing
  const pid = processEvents.slice(from).find(({ type }) => type === 'started')?.['pid']
  for (const until = performance.now() + SURVIVES_MS; isAlive(pid) && performance.now() < until;)
    await elapsed(50)
  exam.expect(!isAlive(pid), {
    expected: `a server that ${manner === 'polite' ? 'exits' : manner} ended within ${SURVIVES_MS} ms`,
    actual: 'a process that lives on',
    statement: 'lifecycle.shutdown.sigkill',
  })
  await exam.endClient()
  return processEvents.slice(from)
}

export const clientShutdown = clientCheck(
  'lifecycle.stdio.client-shutdown',
  async (exam) => {
    for (const manner of ['polite', 'ignores the end of input', 'ignores signals'] as const) {
      const events = await closeWith(exam, manner)
      const ended = events.find(({ type }) => type === 'input-ended')
      const signal = events.find(({ type }) => type === 'signal')
      if (ended === undefined || (signal !== undefined && signal.at < ended.at)) {
        exam.warn({
          expected: 'standard input closed first',
          actual: signal === undefined ? 'a process that was killed' : `${String(signal['signal'])} first`,
          statement: 'lifecycle.shutdown.stdin-first',
        })
        continue
      }
      if (manner === 'polite') {
        exam.expect(signal === undefined, {
          expected: 'no signal to a server that exits by itself',
          actual: String(signal?.['signal']),
          statement: 'lifecycle.shutdown.wait-then-kill',
        })
        continue
      }
      if (signal === undefined && exam.isModern) continue
      if (signal === undefined) {
        exam.warn({
          expected: 'SIGTERM before SIGKILL',
          actual: 'no SIGTERM',
          statement: 'lifecycle.shutdown.sigterm',
        })
        continue
      }
      exam.expect(signal.at - ended.at >= LEAST_WAIT_MS, {
        expected: 'a wait between the end of input and the signal',
        actual: `${Math.round(signal.at - ended.at)} ms`,
        statement: 'lifecycle.shutdown.wait-then-kill',
      })
    }
  },
  { title: 'Clients end their server step by step', slow: true },
)

export const serverCloses = clientCheck(
  'lifecycle.stdio.server-closes',
  async (exam) => {
    exam.on('tools/call', () => {
      exam.server.control('exit 0')
      return { silent: true }
    })
    await exam.connect()
    const ending = await exam.ending(exam.step({ type: 'call', tool: 'echo' }))
    const frame = exam.messagesOf('tools/call')[0]?.frame
    exam.expect(ending.type === 'failed', {
      expected: 'an open request that fails when the server ends',
      actual: describeEnding(ending),
      statement: 'lifecycle.shutdown.server-initiated',
      frame,
    })
    if (ending.type === 'hangs') return
    const next = await exam.ending(exam.step({ type: 'list', list: 'tools' }))
    exam.expect(next.type !== 'hangs', {
      expected: 'the next request to end, one way or the other',
      actual: describeEnding(next),
      statement: 'stdio.restart-crashed',
      frame,
    })
  },
  { title: 'Clients notice that their server has ended' },
)

const EXIT_MS = 10_000

export const serverEof = serverCheck(
  'lifecycle.stdio.server-eof',
  async (probe) => {
    const judge = async (connection: StdioConnection, when: string) => {
      connection.endInput()
      await Promise.race([connection.closed, elapsed(EXIT_MS)])
      if (connection.exit === undefined) {
        probe.timedOut = true
        probe.warn({
          expected: `an exit within ${EXIT_MS} ms after the end of input ${when}`,
          actual: 'a process that lives on',
          frame: connection.inbox.frames.at(-1),
        })
      }
      const torn = connection.inbox.frames.find(({ kind }) => kind === 'invalid')
      probe.expect(torn === undefined, {
        expected: 'whole lines',
        actual: 'an output torn in the middle of a line',
        frame: torn,
      })
    }
    await judge(await probe.connectStdio({ handshake: 'none' }), 'before anything was sent')
    const idle = await probe.connectStdio()
    const outcome = await idle.tryBarrier()
    if (outcome.type !== 'result') return probe.inconclusive(describeOutcome(outcome))
    await judge(idle, 'when idle')
    const tool = probe.findFixture('slow') ?? probe.findFixture('simple')
    if (tool === undefined) return
    const busy = await probe.connectStdio()
    await busy.send(busy.compose('tools/call', { name: tool.name, arguments: tool.arguments }))
    await elapsed(50)
    await judge(busy, 'during a call')
  },
  { title: 'Servers exit at the end of their input', slow: true },
)
