import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { clientCheck } from '../../check.ts'
import { describeEnding } from '../../exam/client-exam.ts'
import type { Turn } from '../../exam/dialogue.ts'
import { isResponse } from '../../probe/inbox.ts'
import { shortJson } from '../../probe/outcome.ts'
import { elapsed } from '../../probe/waits.ts'

const PROGRESS = 'notifications/progress'

/** The token of a request of the client. */
function tokenOf({ params }: Pick<Turn, 'params'>): unknown {
  const { _meta: meta } = params
  return isJsonObject(meta) ? meta['progressToken'] : undefined
}

export const tokenUnique = clientCheck(
  'progress.client.token-unique',
  async (exam) => {
    const tokens: unknown[] = []
    exam.on('tools/call', async (turn) => {
      const token = tokenOf(turn)
      if (token !== undefined) tokens.push(token)
      await elapsed(400)
      return turn.usual()
    })
    await exam.connect()
    const call = { type: 'call', tool: 'echo', progress: true } as const
    await exam.step({ type: 'parallel', steps: [call, call, call] })
    if (tokens.length < 2) return exam.inconclusive('the client asked for no progress in parallel calls')
    const frame = exam.messagesOf('tools/call').map((item) => item.frame)
    for (const token of tokens)
      exam.expect(typeof token === 'string' || Number.isInteger(token), {
        expected: 'a string or an integer as token',
        actual: shortJson(token),
        statement: 'progress.token-type',
        member: '/params/_meta/progressToken',
        frame,
      })
    exam.expect(new Set(tokens.map((token) => JSON.stringify(token))).size === tokens.length, {
      expected: 'a token of its own for each open call',
      actual: tokens.map(shortJson).join(', '),
      statement: 'progress.token-unique',
      member: '/params/_meta/progressToken',
      frame,
    })
  },
  { title: 'Open calls have different progress tokens' },
)

/** What comes while a call is open. */
const NOTICES: readonly { readonly what: string; readonly of: (token: unknown) => readonly JsonObject[] }[] =
  [
    { what: 'no progress', of: () => [] },
    {
      what: 'fractions',
      of: (progressToken) => [0.1, 0.25].map((progress) => ({ progressToken, progress })),
    },
    { what: 'a huge number', of: (progressToken) => [{ progressToken, progress: 1e300 }] },
    {
      what: 'a total below the progress',
      of: (progressToken) => [{ progressToken, progress: 5, total: 2 }],
    },
    { what: 'an unknown token', of: () => [{ progressToken: 'patchbay-unknown', progress: 1 }] },
  ]

export const clientTolerant = clientCheck(
  'progress.client.tolerant',
  async (exam) => {
    let next: readonly JsonObject[] = []
    let token: unknown
    exam.on('tools/call', async (turn) => {
      token = tokenOf(turn)
      const notices = NOTICES[turn.count]?.of(token) ?? next
      for (const params of notices) turn.send({ jsonrpc: '2.0', method: PROGRESS, params })
      await elapsed(50)
      return turn.usual()
    })
    const connection = await exam.connect()
    const call = async (what: string) => {
      const step = exam.step({ type: 'call', tool: 'echo', progress: true })
      const ending = await exam.ending(step)
      exam.expect(ending.type === 'done', {
        expected: `a call that completes with ${what}`,
        actual: describeEnding(ending),
        statement: what === 'fractions' ? 'progress.float' : 'progress.optional',
        frame: exam.messagesOf('tools/call').at(-1)?.frame,
      })
    }
    for (const { what } of NOTICES) await call(what)
    if (exam.isModern && exam.cell.transport === 'http') return
    const late = { progressToken: token ?? 'patchbay-unknown', progress: 99 }
    connection.notify(PROGRESS, late)
    next = []
    await call('progress after the answer before')
  },
  { title: 'Clients take any progress' },
)

const ASKED = 'patchbay-asked'
const TOKEN = 'patchbay-progress'
const MOST_PER_SECOND = 100

export const clientSends = clientCheck(
  'progress.client.sends',
  async (exam) => {
    exam.set({
      capabilities: ['sampling'],
      answers: {
        'sampling/createMessage': async () => {
          await elapsed(300)
          return { role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'none' }
        },
      },
    })
    exam.on('tools/call', async (turn) => {
      const params = {
        messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
        maxTokens: 5,
        _meta: { progressToken: TOKEN },
      }
      await turn.ask('sampling/createMessage', params, ASKED)
      await elapsed(exam.waits.silenceMs)
      return turn.usual()
    })
    await exam.connect()
    await exam.step({ type: 'call', tool: 'echo' })
    const answer = exam.received.findIndex(({ message }) => isResponse(message) && message['id'] === ASKED)
    if (answer === -1) return exam.inconclusive('the client did not answer the question')
    let last = -Infinity
    const times: number[] = []
    for (const [place, { message, frame }] of exam.received.entries()) {
      if (message['method'] !== PROGRESS) continue
      const params = isJsonObject(message['params']) ? message['params'] : {}
      const report = (statement: string, expected: string, actual: string) => {
        exam.fail({ statement, expected, actual, member: '/params', frame })
      }
      const { progressToken, progress } = params
      if (progressToken !== TOKEN)
        report('progress.active-token-only', `the token "${TOKEN}"`, shortJson(progressToken))
      if (place > answer)
        report('progress.stop-after-completion', 'no progress after the answer', shortJson(params))
      if (typeof progress !== 'number')
        report('progress.notification-content', 'a number', shortJson(progress))
      else if (progress <= last) report('progress.increasing', `more than ${last}`, String(progress))
      else last = progress
      times.push(frame.at)
    }
    const seconds = Math.max(1, ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000)
    exam.expect(times.length / seconds <= MOST_PER_SECOND, {
      expected: `at most ${MOST_PER_SECOND} progress notifications in a second`,
      actual: `${times.length} in ${seconds} s`,
      statement: 'progress.rate-limit',
      severity: 'warning',
    })
  },
  { title: 'Progress of a client is right' },
)
