import { clientCheck, serverCheck } from '../../check.ts'
import { isSameId, isResponse } from '../../probe/inbox.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'

export const strayResponseServer = serverCheck(
  'jsonrpc.stray-response.server',
  async (probe) => {
    const connection = await probe.connect()
    const from = connection.received.length
    const { frame, exchange } = await connection.send({ jsonrpc: '2.0', id: 'patchbay-none', result: {} })
    if (exchange !== undefined) await Promise.race([exchange.ended, connection.silence()])
    const barrier = await connection.tryBarrier()
    if (barrier.type === 'closed') {
      probe.fail({ expected: 'a response to nothing ignored', actual: describeOutcome(barrier), frame })
      return
    }
    if (barrier.type === 'silence') probe.inconclusive('the barrier was not answered')
    const barrierId = 'message' in barrier ? barrier.message['id'] : undefined
    const status = exchange?.response?.status
    for (const { message, frame: answer, source } of connection.received.slice(from)) {
      if (!isResponse(message) || isSameId(message['id'], barrierId)) continue
      if (source !== undefined && source === exchange && (status ?? 0) >= 400) continue
      probe.fail({ expected: 'no answer to a response', actual: shortJson(message), frame: [answer, frame] })
    }
    if (probe.cell.transport === 'http' && status !== undefined) {
      probe.expect(status === 202 || (status >= 400 && status < 500), {
        expected: 'HTTP 202 or 4xx',
        actual: `HTTP ${status}`,
        frame,
      })
    }
  },
  { title: 'Responses to nothing are ignored' },
)

export const strayResponseClient = clientCheck(
  'jsonrpc.stray-response.client',
  async (exam) => {
    exam.on('tools/call', (turn) => {
      const { id } = turn.request
      const answer = (text: string) => {
        const usual = turn.usual()
        const result = 'result' in usual ? usual.result : {}
        return { ...result, content: [{ type: 'text', text }] }
      }
      if (turn.count > 0) return { result: answer('next') }
      turn.send({ jsonrpc: '2.0', id: 99_999, result: answer('stray') })
      if (exam.cell.transport === 'http') return { result: answer('first') }
      turn.send({ jsonrpc: '2.0', id, result: answer('first') })
      return { result: answer('second') }
    })
    const connection = await exam.connect()
    for (const text of ['first', 'next']) {
      const outcome = await exam.step({ type: 'call', tool: 'echo', arguments: { text: 'a' } })
      exam.expect(outcome.type === 'done' && JSON.stringify(outcome.value).includes(`"${text}"`), {
        expected: `the ${text} answer`,
        actual: outcome.type === 'failed' ? outcome.message : shortJson(outcome.value),
        frame: exam.messagesOf('tools/call').at(-1)?.frame,
      })
    }
    exam.expect(connection.closedReason === undefined, {
      expected: 'a client that stays connected',
      actual: connection.closedReason ?? '',
      frame: exam.messagesOf('tools/call').at(0)?.frame,
    })
  },
  { title: 'The client ignores responses to nothing' },
)
