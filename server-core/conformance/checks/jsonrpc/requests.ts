import type { JsonObject } from '../../../protocol/json.ts'
import { clientCheck, passiveCheck, serverCheck } from '../../check.ts'
import { sendArray } from '../base/batches.ts'
import { describeOutcome, shortJson, type Outcome } from '../../probe/outcome.ts'
import { UNKNOWN_TOOL } from '../../probe/permission.ts'

const frameOf = (outcome: Outcome) =>
  outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent]

export const unknownMethodServer = serverCheck(
  'jsonrpc.unknown-method.server',
  async (probe) => {
    const connection = await probe.connect()
    const isModernHttp = probe.isModern && probe.cell.transport === 'http'
    for (const method of ['patchbay/none', 'tools/List', 'rpc.discover', ...(isModernHttp ? [] : [''])]) {
      const outcome = await connection.call(method)
      probe.expect(outcome.type === 'error' && outcome.code === -32_601, {
        expected: `error -32601 for the method ${shortJson(method)}`,
        actual: describeOutcome(outcome),
        member: '/error/code',
        frame: frameOf(outcome),
      })
      if (outcome.type === 'closed') return
    }
  },
  { title: 'Unknown methods are refused with -32601' },
)

export const unknownMethodClient = clientCheck(
  'jsonrpc.unknown-method.client',
  async (exam) => {
    const connection = await exam.connect()
    const outcome = await connection.request('patchbay/none', { a: 1 }, 'patchbay-1')
    exam.expect(outcome.type === 'error' && outcome.code === -32_601, {
      expected: 'error -32601 with the id of the request',
      actual: describeOutcome(outcome),
      member: '/error/code',
      frame: frameOf(outcome),
    })
  },
  { title: 'The client refuses unknown methods with -32601' },
)

type Wrong = {
  readonly what: string
  readonly method: string
  readonly params: JsonObject
  /** On modern HTTP the member is also a header, whose absence has a code of its own. */
  readonly isNamed?: true
  /** It is about the arguments of a known tool. */
  readonly isArgument?: true
  readonly isCursor?: true
}

export const invalidParams = serverCheck(
  'jsonrpc.invalid-params.server',
  async (probe) => {
    const connection = await probe.connect()
    const echo = probe.findFixture('echo') ?? probe.findFixture('simple')
    const wrong: Wrong[] = []
    if (probe.declares('tools')) {
      wrong.push(
        { what: 'tools/call without name', method: 'tools/call', params: { arguments: {} }, isNamed: true },
        { what: 'tools/call with the name 3', method: 'tools/call', params: { name: 3 }, isNamed: true },
        {
          what: 'tools/call with the arguments "x"',
          method: 'tools/call',
          params: { name: echo?.name ?? UNKNOWN_TOOL, arguments: 'x' },
          isArgument: true,
        },
        { what: 'tools/list with the cursor 3', method: 'tools/list', params: { cursor: 3 }, isCursor: true },
      )
    }
    if (probe.declares('resources'))
      wrong.push({ what: 'resources/read without uri', method: 'resources/read', params: {}, isNamed: true })
    if (probe.declares('completions'))
      wrong.push({
        what: 'completion/complete without ref',
        method: 'completion/complete',
        params: { argument: { name: 'a', value: '' } },
      })
    if (wrong.length === 0) probe.notApplicable('the server declares no feature with parameters')
    for (const each of wrong) {
      const outcome = await connection.call(each.method, each.params)
      if (isRefused(each, outcome, probe.cell.revision, probe.isModern && probe.hasHttp)) continue
      const isMild = outcome.type === 'error' || (each.isCursor === true && outcome.type === 'result')
      probe.fail({
        expected: `error -32602 for ${each.what}`,
        actual: describeOutcome(outcome),
        member: outcome.type === 'error' ? '/error/code' : '/result',
        frame: frameOf(outcome),
        ...(isMild && { severity: 'warning' as const }),
      })
      if (outcome.type === 'closed') return
    }
  },
  { title: 'Wrong parameters are refused with -32602' },
)

function isRefused(wrong: Wrong, outcome: Outcome, revision: string, isModernHttp: boolean): boolean {
  if (outcome.type === 'error') {
    return outcome.code === -32_602 || (isModernHttp && wrong.isNamed === true && outcome.code === -32_020)
  }
  const isToolError = outcome.type === 'result' && outcome.result['isError'] === true
  return isToolError && wrong.isArgument === true && revision >= '2025-11-25'
}

export const batchRefused = serverCheck(
  'jsonrpc.batch-refused.server',
  async (probe) => {
    const connection = await probe.connect()
    const { method } = probe.cheapRequest()
    const item = () => connection.compose(method)
    const isModern = probe.isModern
    for (const items of [[item(), item()], []]) {
      const { frame, responses, status } = await sendArray(connection, items, { answers: 1, barrier: true })
      const results = responses.filter(({ message }) => 'result' in message)
      const refused = responses.some(
        ({ message }) => (message['error'] as JsonObject | undefined)?.['code'] === -32_600,
      )
      const isBadStatus = status !== undefined && status >= 400 && status < 500
      const expected = `error -32600 for an array${items.length === 0 ? ' of nothing' : ''}`
      if (results.length > 0) {
        probe.fail({
          expected,
          actual: `${results.length} results`,
          frame: [...results.map((result) => result.frame), frame],
          ...(!isModern && { severity: 'warning' as const }),
        })
      } else if (!refused && !(probe.hasHttp && isBadStatus)) {
        const isSilent = responses.length === 0 && connection.closedReason === undefined
        probe.fail({
          expected,
          actual: isSilent ? 'no answer' : shortJson(responses.map(({ message }) => message)),
          frame,
          ...(isSilent && !(probe.cell.transport === 'http') && { severity: 'warning' as const }),
        })
      }
      if (connection.closedReason !== undefined) {
        probe.fail({ expected: 'a connection that lives', actual: connection.closedReason, frame })
        return
      }
    }
  },
  { title: 'Arrays of messages are refused' },
)

export const batchRefusedClient = passiveCheck(
  'jsonrpc.batch-refused.client',
  (transcript) => {
    for (const frame of transcript.examinedFrames(({ kind }) => kind === 'message')) {
      if (Array.isArray(frame.value))
        transcript.fail({ expected: 'a single message', actual: 'an array', frame })
    }
  },
  { title: 'The client sends no arrays' },
)
