import { clientCheck, serverCheck } from '../../check.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { isResponse } from '../../probe/inbox.ts'
import { describeOutcome, shortJson, type Outcome } from '../../probe/outcome.ts'

const frameOf = (outcome: Outcome) =>
  outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent]

const UNPARSABLE = ['{"jsonrpc":"2.0","id":1,', 'not json']

export const parseError = serverCheck(
  'jsonrpc.parse-error.server',
  async (probe) => {
    const connection = await probe.connect()
    for (const text of UNPARSABLE) {
      const outcome = await connection.exchange(text, { match: 'any', barrier: true })
      judgeRefusal(probe, { what: shortJson(text), outcome, codes: [-32_700], mayHaveId: false })
      const next = await connection.tryBarrier()
      if (!lives(probe, next, outcome)) return
    }
  },
  { title: 'Text that is not JSON is answered with -32700' },
)

type Invalid = {
  readonly value: unknown
  readonly codes: readonly number[]
  readonly mayPass?: true
  readonly mayServe?: true
}

export const invalidRequest = serverCheck(
  'jsonrpc.invalid-request.server',
  async (probe) => {
    const connection = await probe.connect()
    const { method } = probe.cheapRequest()
    const good = () => connection.compose(method)
    const invalid: readonly Invalid[] = [
      { value: 3, codes: [-32_600] },
      { value: 'x', codes: [-32_600] },
      { value: null, codes: [-32_600] },
      { value: {}, codes: [-32_600] },
      // It may be taken for a broken response.
      { value: { jsonrpc: '2.0', id: 1 }, codes: [-32_600], mayPass: true },
      { value: { ...good(), method: 3 }, codes: [-32_600] },
      { value: { ...good(), params: 'x' }, codes: [-32_600, -32_602] },
      { value: { ...good(), jsonrpc: '1.0' }, codes: [-32_600], mayServe: true },
    ]
    for (const { value, codes, mayPass, mayServe } of invalid) {
      const outcome = await connection.exchange(JSON.stringify(value), { match: 'any', barrier: true })
      if (mayPass === true && (outcome.type === 'silence' || isAccepted(outcome))) continue
      judgeRefusal(probe, {
        what: shortJson(value),
        outcome,
        codes,
        mayHaveId: true,
        mayServe: mayServe === true,
      })
      if (outcome.type === 'closed') return
    }
    lives(probe, await connection.tryBarrier(), undefined)
  },
  { title: 'Invalid requests are refused with -32600' },
)

const isAccepted = ({ http }: Outcome) => http !== undefined && http.status < 500

type Refusal = {
  readonly what: string
  readonly outcome: Outcome
  readonly codes: readonly number[]
  readonly mayHaveId: boolean
  readonly mayServe?: boolean
}

/** Judges how something unreadable was refused. */
function judgeRefusal(probe: ServerProbe, { what, outcome, codes, mayHaveId, mayServe }: Refusal): void {
  const expected = `error ${codes.join(' or ')} for ${what}`
  const finding = { expected, actual: describeOutcome(outcome), frame: frameOf(outcome) }
  const hasStatus = probe.cell.transport === 'http'
  switch (outcome.type) {
    case 'error': {
      const { code, http, message } = outcome
      if (typeof code !== 'number' || !codes.includes(code)) probe.warn({ ...finding, member: '/error/code' })
      if (!mayHaveId && message['id'] !== undefined && message['id'] !== null)
        probe.fail({ ...finding, expected: 'an error without the id of a request', member: '/id' })
      if (hasStatus && http !== undefined && http.status >= 500)
        probe.fail({ ...finding, expected: 'HTTP 400' })
      else if (hasStatus && http !== undefined && http.status !== 400)
        probe.warn({ ...finding, expected: 'HTTP 400' })
      return
    }
    case 'http':
      if (outcome.status >= 500 || outcome.status < 300) probe.fail(finding)
      else probe.warn(finding)
      return
    case 'silence':
      if (hasStatus) probe.fail(finding)
      else probe.warn(finding)
      return
    case 'result':
      if (mayServe === true) probe.warn(finding)
      else probe.fail(finding)
      return
    default:
      probe.fail(finding)
  }
}

/** Whether the server still serves; a finding if not. */
function lives(probe: ServerProbe, next: Outcome, before: Outcome | undefined): boolean {
  const isAlive = next.type === 'result' || next.type === 'error'
  return probe.expect(isAlive, {
    expected: 'a connection that serves the next request',
    actual: describeOutcome(next),
    frame: before === undefined ? next.sent : [next.sent, before.sent],
  })
}

const UNREADABLE: readonly string[] = [
  '{"jsonrpc":',
  '3',
  '{}',
  '{"jsonrpc":"2.0","id":"patchbay-1","method":7}',
]

export const parseErrorClient = clientCheck(
  'jsonrpc.parse-error.client',
  async (exam) => {
    for (const [index, text] of UNREADABLE.entries()) {
      exam.on('tools/call', async (turn) => {
        if (turn.count !== index) return turn.usual()
        turn.send(text)
        await new Promise((resolve) => setTimeout(resolve, 50))
        return turn.usual()
      })
      const from = exam.received.length
      const called = await exam.step({ type: 'call', tool: 'echo', arguments: { text: 'a' } })
      const next = await exam.step({ type: 'list', list: 'tools' })
      for (const { message, frame } of exam.received.slice(from)) {
        if (!isResponse(message)) continue
        const { id, error } = message
        const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
        const mayAnswer = code === -32_700 || code === -32_600
        const isKnownId = id === undefined || id === null || (index === 3 && id === 'patchbay-1')
        exam.expect(mayAnswer && isKnownId, {
          expected: 'error -32700 or -32600 without an id, or nothing',
          actual: shortJson(message),
          statement: index === 0 ? 'jsonrpc.parse-error' : 'jsonrpc.invalid-request',
          member: mayAnswer ? '/id' : '/error/code',
          frame,
        })
      }
      if (exam.connections.at(-1)?.closedReason !== undefined && called.type === 'failed') {
        // Whatever carried the text may be given up with a report.
        await exam.step({ type: 'connect' })
        continue
      }
      exam.expect(next.type === 'done', {
        expected: `a client that goes on, or ends with a report, after ${shortJson(text)}`,
        actual: next.type === 'failed' ? next.message : '',
        frame: exam.messagesOf('tools/call').at(-1)?.frame,
      })
    }
  },
  { title: 'The client bears what it cannot read' },
)
