import { isSameId } from '../../probe/inbox.ts'
import { serverCheck } from '../../check.ts'
import { twoPrincipals } from '../tools/access.ts'

export const userBound = serverCheck(
  'elicitation.server.user-bound',
  async (probe) => {
    const tool = probe.fixture('elicitation')
    if (probe.isModern)
      return probe.notApplicable(
        'what another principal may do with a state is a matter of mrtr.server.state',
      )
    const [first, second] = await twoPrincipals(probe, { elicitation: { form: {}, url: {} } })
    if (first.sessionId === undefined) return probe.notApplicable('the server has no sessions')
    const message = first.compose('tools/call', { name: tool.name, arguments: tool.arguments })
    await first.send(message)
    const asked = await first.waitForMethod('elicitation/create', { from: 0 })
    if (asked === undefined) return probe.inconclusive('the tool did not ask the user')
    const answer = { jsonrpc: '2.0', id: asked.message['id'], result: { action: 'decline' } }
    const { exchange, frame } = await second.send(answer, { headers: { 'mcp-session-id': first.sessionId } })
    if (exchange !== undefined) await probe.owed(exchange.ended)
    const { status = 0 } = exchange?.response ?? {}
    await first.silence()
    const isCompleted = first.received.some(
      ({ message: each }) => each['method'] === undefined && isSameId(each['id'], message.id),
    )
    probe.expect(!isCompleted, {
      expected: 'the answer of another principal refused',
      actual: `HTTP ${status}, and the question answered`,
      statement: 'elicitation.state-bound',
      frame,
    })
  },
  { title: 'Only the user who was asked answers' },
)

export const foreignCredentials = serverCheck(
  'elicitation.server.foreign-credentials',
  (probe) => Promise.resolve(probe.notApplicable('the server knows no third party of the exam')),
  { title: 'Credentials of third parties do not reach the client' },
)
