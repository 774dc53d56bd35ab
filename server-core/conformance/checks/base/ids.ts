import { isDeepStrictEqual } from 'node:util'
import { clientCheck, serverCheck } from '../../check.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'

const IDS: readonly unknown[] = [7, '7', 0, -3, '', 'ü', 9_007_199_254_740_991]

export const echoTypes = serverCheck(
  'base.id.echo-types',
  async (probe) => {
    // Its ids are given by hand, and must not have been in use.
    const connection = await probe.connect({ fresh: true })
    const { method, params } = probe.cheapRequest()
    const requests = [...IDS.map((id) => ({ id, method })), { id: 'x', method: 'patchbay/none' }]
    for (const { id, method: name } of requests) {
      const request = connection.compose(name, params, { id })
      const outcome = await connection.exchange(request, { match: 'any' })
      const answered = 'message' in outcome ? outcome.message['id'] : undefined
      if (outcome.type === 'closed') probe.inconclusive(describeOutcome(outcome))
      probe.expect(isDeepStrictEqual(answered, id), {
        expected: `an answer with the id ${shortJson(id)}`,
        actual: 'message' in outcome ? `the id ${shortJson(answered)}` : describeOutcome(outcome),
        member: '/id',
        statement: outcome.type === 'error' ? 'base.error.id-echo' : 'base.response.id-echo',
        frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
      })
    }
  },
  { title: 'Answers repeat the id of the request, value and type' },
)

export const echoClient = clientCheck(
  'base.id.echo-client',
  async (exam) => {
    const connection = await exam.connect()
    const asked = [
      { method: 'ping', id: 5, answer: 'result' },
      { method: 'ping', id: '5', answer: 'result' },
      { method: 'patchbay/none', id: 'q', answer: 'error' },
    ]
    for (const { method, id, answer } of asked) {
      const outcome = await connection.request(method, undefined, id)
      exam.expect(outcome.type === answer, {
        expected: `${method} answered by a ${answer} with the id ${shortJson(id)}`,
        actual: describeOutcome(outcome),
        member: '/id',
        statement: answer === 'error' ? 'base.error.id-echo' : 'base.response.id-echo',
        frame: outcome.frame ?? outcome.sent,
      })
    }
    await exam.step({ type: 'close' })
  },
  { title: 'The client repeats the id of requests of the server' },
)
