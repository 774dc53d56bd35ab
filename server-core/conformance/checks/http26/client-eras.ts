import { isJsonObject } from '../../../protocol/json.ts'
import { clientCheck } from '../../check.ts'
import { describeEnding } from '../../exam/client-exam.ts'
import type { ExamHttp } from '../../exam/exam-http.ts'
import { shortJson } from '../../probe/outcome.ts'
import { methodOf } from '../http/client-answers.ts'

const JSON_TYPE = 'application/json'

function errorBody({ json }: ExamHttp, code: number, data?: unknown): string {
  const id = isJsonObject(json) ? json['id'] : undefined
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code, message: 'Refused', ...(data !== undefined && { data }) },
  })
}

type Refusal = {
  readonly name: string
  readonly isModern: boolean
  readonly type: string
  readonly body: (exchange: ExamHttp) => string
}

const REFUSALS: readonly Refusal[] = [
  {
    name: '-32022',
    isModern: true,
    type: JSON_TYPE,
    body: (exchange) => errorBody(exchange, -32022, { supported: ['2031-01-01'], requested: '2026-07-28' }),
  },
  {
    name: '-32021',
    isModern: true,
    type: JSON_TYPE,
    body: (exchange) => errorBody(exchange, -32021, { requiredCapabilities: { sampling: {} } }),
  },
  { name: '-32020', isModern: true, type: JSON_TYPE, body: (exchange) => errorBody(exchange, -32020) },
  { name: 'an empty body', isModern: false, type: JSON_TYPE, body: () => '' },
  { name: 'HTML', isModern: false, type: 'text/html', body: () => '<h1>Bad request</h1>' },
  {
    name: 'a legacy error',
    isModern: false,
    type: JSON_TYPE,
    body: (exchange) => errorBody(exchange, -32600),
  },
]

export const inspects400 = clientCheck(
  'http26.client.era-400',
  async (exam) => {
    exam.set({ anyRevision: true })
    exam.speak('2025-11-25')
    let refusal = REFUSALS[0]
    exam.onHttp((exchange) => {
      if (methodOf(exchange) !== 'server/discover') return false
      exchange.respond(400, { 'content-type': refusal?.type ?? '' }, refusal?.body(exchange))
      return true
    })
    for (refusal of REFUSALS) {
      const mark = exam.exchanges.length
      await exam.ending(exam.step({ type: 'connect' }))
      await exam.endClient()
      const own = exam.exchanges.slice(mark)
      if (own.length === 0) exam.inconclusive('the client never connected')
      const opening = own.find((exchange) => methodOf(exchange) === 'initialize')
      if (!refusal.isModern && !exam.speaksLegacy) continue
      exam.expect((opening !== undefined) === !refusal.isModern, {
        expected: `${refusal.isModern ? 'no ' : ''}initialize after 400 with ${refusal.name}`,
        actual: opening === undefined ? 'none' : 'initialize',
        statement: 'http26.era.inspect-400',
        frame: (opening ?? own.at(-1))?.frame,
      })
    }
  },
  { title: 'The body of a 400 decides between the eras' },
)

type Obstacle = {
  readonly name: string
  readonly severity: 'warning' | undefined
  readonly serve: (exchange: ExamHttp) => void
}

const obstacle = (status: number, headers: Record<string, string> = {}): Obstacle => ({
  name: String(status),
  severity: 'warning',
  serve: (exchange) => {
    exchange.respond(status, { 'content-type': 'text/plain', ...headers }, 'Refused')
  },
})

/** 403 and 429 are left to the client: the text names 400 alone, and also says that anything else is legacy. */
const OBSTACLES: readonly Obstacle[] = [
  obstacle(401, { 'www-authenticate': 'Bearer' }),
  obstacle(500),
  obstacle(503),
  {
    name: 'a broken connection',
    severity: 'warning',
    serve: ({ response }) => {
      response.destroy()
    },
  },
]

export const noDowngrade = clientCheck(
  'http26.client.no-downgrade',
  async (exam) => {
    exam.set({ anyRevision: true })
    let current = OBSTACLES[0]
    exam.onHttp((exchange) => {
      if (methodOf(exchange) !== 'server/discover') return false
      current?.serve(exchange)
      return true
    })
    for (current of OBSTACLES) {
      const mark = exam.exchanges.length
      const ending = await exam.ending(exam.step({ type: 'connect' }))
      await exam.endClient()
      const own = exam.exchanges.slice(mark)
      if (own.length === 0) exam.inconclusive('the client never connected')
      const opening = own.find((exchange) => methodOf(exchange) === 'initialize')
      if (opening === undefined && ending.type !== 'hangs') continue
      exam.warn({
        expected: `no initialize after ${current.name}`,
        actual: opening === undefined ? describeEnding(ending) : 'initialize',
        statement: 'http26.era.inspect-400',
        frame: (opening ?? own.at(-1))?.frame,
      })
    }
  },
  { title: 'A failing server is not taken for an older one' },
)

export const lostStream = clientCheck(
  'http26.client.lost-stream',
  async (exam) => {
    exam.set({ requestTimeoutMs: 120_000 })
    exam.on('tools/call', (turn) => {
      if (turn.count > 0) return turn.usual()
      turn.stream()
      return { close: true }
    })
    await exam.connect()
    const ending = await exam.ending(exam.step({ type: 'call', tool: 'echo', arguments: { text: 'exam' } }))
    const sent = exam.messagesOf('tools/call')
    const [first, ...again] = sent
    if (first === undefined) return exam.inconclusive('the client called no tool')
    await exam.step({ type: 'list', list: 'tools' })
    const same = again.find(({ message }) => message['id'] === first.message['id'])
    const resumed = exam.exchanges.find(
      ({ headers, method }) => headers['last-event-id'] !== undefined || method === 'GET',
    )
    exam.expect(same === undefined, {
      expected: 'a new id when the call is sent again',
      actual: shortJson(same?.message['id']),
      member: '/id',
      frame: same?.frame,
    })
    exam.expect(resumed === undefined, {
      expected: 'no resumption of the stream',
      actual: `${resumed?.method ?? ''} with Last-Event-ID ${shortJson(resumed?.headers['last-event-id'])}`,
      frame: resumed?.frame,
    })
    exam.expect(ending.type === 'done' || (ending.type === 'failed' && ending.message !== ''), {
      expected: 'a call that fails clearly, or is sent again',
      actual: describeEnding(ending),
      frame: sent.at(-1)?.frame,
    })
  },
  { title: 'A call whose stream broke fails, or is sent again' },
)
