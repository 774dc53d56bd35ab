import { isJsonObject } from '../../../protocol/json.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import { clientCheck, passiveCheck } from '../../check.ts'
import { describeEnding } from '../../exam/client-exam.ts'
import { shortJson } from '../../probe/outcome.ts'

const CORE_KINDS = new Set<unknown>(['complete', 'input_required'])

export const resultKinds = passiveCheck(
  'resulttype.server',
  (transcript) => {
    for (const { message, answers, frame, pointer } of transcript.examined(
      ({ kind, message: each }) => kind === 'response' && isJsonObject(each['result']),
    )) {
      const result = isJsonObject(message['result']) ? message['result'] : {}
      // A session of an older revision beside it has no kinds.
      if (answers !== undefined && !isModernRequest(answers.message['params'])) continue
      const kind = result['resultType']
      const isNegotiated =
        typeof kind === 'string' && JSON.stringify(answers?.message ?? {}).includes('"extensions"')
      transcript.expect(CORE_KINDS.has(kind) || isNegotiated, {
        expected: 'resultType complete or input_required',
        actual: shortJson(kind),
        member: `${pointer}/result/resultType`,
        frame,
      })
    }
  },
  { title: 'Every result names its kind' },
)

function isModernRequest(params: unknown): boolean {
  return isJsonObject(params) && isJsonObject(params['_meta']) && MetaKey.protocolVersion in params['_meta']
}

export const unknownKind = clientCheck(
  'resulttype.client-unknown',
  async (exam) => {
    exam.on('tools/call', () => ({
      result: { resultType: 'banana', content: [{ type: 'text', text: 'exam' }] },
    }))
    await exam.connect()
    const outcome = await exam.ending(exam.step({ type: 'call', tool: 'echo', arguments: { text: 'exam' } }))
    const sent = exam.messagesOf('tools/call')
    if (sent.length === 0) exam.inconclusive('the client called no tool')
    exam.expect(outcome.type === 'failed', {
      expected: 'an invalid response reported',
      actual: describeEnding(outcome),
      member: '/result/resultType',
      frame: sent[0]?.frame,
    })
    exam.expect(sent.length === 1, {
      expected: 'no retry',
      actual: `${sent.length} calls`,
      frame: sent.at(-1)?.frame,
    })
  },
  { title: 'A result of unknown kind is invalid' },
)

export const absentKind = clientCheck(
  'resulttype.client-absent',
  async (exam) => {
    exam.alter('tools/call', ({ resultType: _, ...result }) => result)
    await exam.connect()
    const outcome = await exam.ending(exam.step({ type: 'call', tool: 'echo', arguments: { text: 'exam' } }))
    const sent = exam.messagesOf('tools/call')
    if (sent.length === 0) exam.inconclusive('the client called no tool')
    exam.expect(outcome.type === 'done' && sent.length === 1, {
      expected: 'a result without resultType taken as complete',
      actual: sent.length > 1 ? `${sent.length} calls` : describeEnding(outcome),
      member: '/result/resultType',
      frame: sent.at(-1)?.frame,
    })
  },
  { title: 'A result without kind counts as complete' },
)
