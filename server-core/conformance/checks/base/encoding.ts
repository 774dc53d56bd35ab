import { isUtf8 } from 'node:buffer'
import { isJsonObject } from '../../../protocol/json.ts'
import { clientCheck, passiveCheck, serverCheck } from '../../check.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'

/** Characters of two, three and four bytes, and a line separator. */
export const HARD_TEXT = 'é\u2028€😀'
const REPLACED = '\uFFFD'

export const utf8 = passiveCheck(
  'base.encoding.utf8',
  (transcript) => {
    for (const frame of transcript.examinedFrames(({ kind }) => kind === 'message' || kind === 'invalid')) {
      if (isUtf8(frame.bytes)) continue
      transcript.fail({
        expected: 'valid UTF-8',
        actual: shortJson(Buffer.from(frame.bytes).toString('latin1')),
        frame,
      })
    }
    for (const { message, answers, frame } of transcript.examined(({ kind }) => kind === 'response')) {
      const sent = isJsonObject(answers?.message['params']) ? JSON.stringify(answers.message['params']) : ''
      const text = JSON.stringify(message['result'] ?? null)
      if (!text.includes(REPLACED) || sent.includes(REPLACED) || !sent.includes('😀')) continue
      transcript.fail({ expected: 'the characters that were sent', actual: shortJson(text), frame })
    }
  },
  { title: 'Messages are UTF-8' },
)

export const chunkSplitServer = serverCheck(
  'base.encoding.chunk-split',
  async (probe) => {
    const connection = await probe.connect()
    const echo = probe.findFixture('echo')
    const message =
      echo === undefined
        ? connection.compose(
            probe.cheapRequest().method,
            { _meta: { 'com.example/text': HARD_TEXT } },
            { id: HARD_TEXT },
          )
        : connection.compose(
            'tools/call',
            { name: echo.name, arguments: withText(echo.arguments) },
            { id: HARD_TEXT },
          )
    const outcome = await connection.exchange(message, { splitAt: cutsIn(message), match: 'any' })
    const where = { frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent] }
    if (!('message' in outcome) || outcome.type === 'error') {
      probe.fail({
        expected: 'a result as for a message in one piece',
        actual: describeOutcome(outcome),
        ...where,
      })
      return
    }
    probe.expect(outcome.message['id'] === HARD_TEXT, {
      expected: `the id ${shortJson(HARD_TEXT)}`,
      actual: shortJson(outcome.message['id']),
      member: '/id',
      ...where,
    })
    const text = JSON.stringify(outcome.message)
    probe.expect(!text.includes(REPLACED), {
      expected: 'the characters that were sent',
      actual: shortJson(outcome.message),
      member: '/result',
      ...where,
    })
  },
  { title: 'Characters that are cut between two pieces arrive whole' },
)

export const chunkSplitClient = clientCheck(
  'base.encoding.chunk-split',
  async (exam) => {
    exam.content.prompts = [{ name: HARD_TEXT, description: HARD_TEXT }]
    exam.on('prompts/list', (turn) => {
      const reply = turn.usual()
      const result = 'result' in reply ? reply.result : {}
      const message = { jsonrpc: '2.0', id: turn.request['id'], result }
      return { pieces: splitted(Buffer.from(JSON.stringify(message)), cutsIn(message)) }
    })
    const outcome = await exam.run()
    const got = exam.messagesOf('prompts/get').at(0)
    const params = got?.message['params']
    const name = isJsonObject(params) ? params['name'] : undefined
    if (outcome.type === 'done' && got === undefined) exam.inconclusive('the client got no prompt')
    exam.expect(outcome.type === 'done' && name === HARD_TEXT, {
      expected: `the prompt ${shortJson(HARD_TEXT)} to be asked for`,
      actual: outcome.type === 'failed' ? outcome.message : shortJson(name),
      member: '/params/name',
      frame: got?.frame ?? exam.received.at(-1)?.frame,
    })
  },
  { title: 'Characters that are cut between two pieces arrive whole' },
)

function withText(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, typeof value === 'string' ? HARD_TEXT : value]),
  )
}

/** Offsets inside the characters of four bytes. */
function cutsIn(message: unknown): readonly number[] {
  const bytes = Buffer.from(JSON.stringify(message))
  const cuts: number[] = []
  for (let at = bytes.indexOf('😀'); at !== -1; at = bytes.indexOf('😀', at + 4)) cuts.push(at + 2)
  return cuts
}

function splitted(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const edges = [0, ...cuts, bytes.length]
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
}
