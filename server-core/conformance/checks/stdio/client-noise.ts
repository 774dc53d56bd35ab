import { clientCheck } from '../../check.ts'
import { describeEnding } from '../../exam/client-exam.ts'

/** Longer than any wait of a check, so that the limit of the client is not what ends a step. */
const NEVER_MS = 120_000
const METHODS = [
  'initialize',
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
  'tools/call',
  'resources/read',
  'prompts/get',
]

export const stderrTolerated = clientCheck(
  'stdio.client.stderr',
  async (exam) => {
    // More than a pipe holds each time, and a megabyte while the tools are listed.
    const line = 'ERROR something that only looks bad\n'
    const noise = (bytes: number) =>
      Buffer.from(line.repeat(Math.ceil(bytes / line.length))).toString('base64')
    const usual = noise(128 * 1024)
    const much = noise(1024 * 1024)
    exam.set({ requestTimeoutMs: NEVER_MS })
    for (const method of METHODS) {
      exam.on(method, (turn) => {
        exam.server.control(`stderr ${method === 'tools/list' ? much : usual}`)
        return turn.usual()
      })
    }
    const ending = await exam.ending(exam.run())
    exam.expect(ending.type === 'done', {
      expected: 'every step to succeed beside text on stderr',
      actual: describeEnding(ending),
      statement: ending.type === 'hangs' ? 'stdio.stderr-logging' : 'stdio.stderr-not-error',
      frame: exam.received.at(-1)?.frame,
    })
  },
  { title: 'Text on stderr is not a failure' },
)

export const garbageTolerated = clientCheck(
  'stdio.client.garbage-stdout',
  async (exam) => {
    exam.set({ requestTimeoutMs: NEVER_MS })
    const first = exam.isModern ? 'server/discover' : 'initialize'
    exam.on(first, (turn) => {
      turn.send('Welcome to the exam server!')
      return turn.usual()
    })
    exam.on('tools/list', (turn) => {
      turn.send('a stray line')
      turn.send({ jsonrpc: '2.0', id: 'patchbay-stray', result: {} })
      return turn.usual()
    })
    const ending = await exam.ending(exam.run())
    const isClear = ending.type === 'done' || (ending.type === 'failed' && ending.message !== '')
    exam.expect(isClear, {
      expected: 'the lines to be passed over, or a clear error',
      actual: describeEnding(ending),
      statement: 'jsonrpc.unknown-response-ignored',
      frame: exam.received.at(-1)?.frame,
    })
  },
  { title: 'Invalid lines on stdout do not hang the client' },
)

export const supportsStdio = clientCheck(
  'stdio.client.support',
  async (exam) => {
    const outcome = await exam.run()
    const hasSpoken = exam.received.some(({ message }) => message['method'] === 'initialize')
    if (hasSpoken) return
    exam.inform({
      expected: 'a client that starts its server and connects to it over stdio',
      actual: describeEnding(outcome),
    })
  },
  { title: 'The client supports stdio' },
)
