import { isJsonObject } from '../../../protocol/json.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import { clientCheck, passiveCheck } from '../../check.ts'
import type { SeenMessage, Transcript } from '../../passive/transcript.ts'
import { shortJson } from '../../probe/outcome.ts'

const MAX_MESSAGE = 200
/** The codes of the reserved range that 2026-07-28 defines. */
const DEFINED = new Set([-32_020, -32_021, -32_022])
const RETIRED = new Set([-32_002, -32_042])

export const shortMessage = passiveCheck(
  'base.error.short-message',
  (transcript) => {
    for (const { message, frame, pointer } of transcript.examined(({ message: { error } }) =>
      isJsonObject(error),
    )) {
      const text = isJsonObject(message['error']) ? message['error']['message'] : undefined
      if (typeof text !== 'string') continue
      const place = { member: `${pointer}/error/message`, frame }
      const expected = 'one line of at most 200 characters without a stack'
      if (/[\r\n]/.test(text) || /^\s*at .+:\d+:\d+/m.test(text)) {
        transcript.fail({ expected, actual: shortJson(text), ...place })
      } else if (text.length > MAX_MESSAGE) {
        transcript.fail({ expected, actual: `${text.length} characters`, severity: 'info', ...place })
      }
    }
  },
  { title: 'Messages of errors are short' },
)

export const reservedCodes = passiveCheck(
  'base.error.reserved-codes',
  (transcript) => {
    for (const { seen, code } of judgedErrors(transcript)) {
      const { frame, pointer } = seen
      const member = `${pointer}/error/code`
      if (RETIRED.has(code)) {
        transcript.fail({
          expected: 'none of the codes that were retired',
          actual: String(code),
          statement: 'base.error.retired-codes',
          member,
          frame,
        })
      } else if (code <= -32_020 && code >= -32_099 && !(DEFINED.has(code) && isInPlace(code, seen))) {
        transcript.fail({
          expected: DEFINED.has(code)
            ? `${code} only where it is defined`
            : 'no undefined code of -32020 to -32099',
          actual: `${code} for ${shortJson(seen.answers?.message['method'])}`,
          statement: 'base.error.reserved-range',
          member,
          frame: seen.answers === undefined ? frame : [frame, seen.answers.frame],
        })
      }
    }
  },
  { title: 'Reserved error codes are used for what they are defined for' },
)

export const privateCodes = passiveCheck(
  'base.error.private-codes',
  (transcript) => {
    for (const { seen, code } of judgedErrors(transcript)) {
      const { frame, pointer } = seen
      const isLegacy = code <= -32_000 && code >= -32_019
      const isUndefined = code < -32_099 && code >= -32_768 && !JSON_RPC_CODES.has(code)
      if ((!isLegacy && !isUndefined) || RETIRED.has(code)) continue
      transcript.fail({
        expected: 'a code of the specification, or one outside of -32768 to -32000',
        actual: String(code),
        statement: isLegacy ? 'base.error.legacy-range-no-new' : 'base.error.app-codes-outside',
        member: `${pointer}/error/code`,
        frame,
      })
    }
  },
  { title: 'Private error codes stay outside of the reserved ranges' },
)

const JSON_RPC_CODES = new Set([-32_700, -32_600, -32_601, -32_602, -32_603])

/** The errors that answer requests with a full envelope: others may be judged by the rules of older revisions. */
function* judgedErrors(transcript: Transcript): Generator<{ seen: SeenMessage; code: number }> {
  for (const seen of transcript.examined(
    ({ message, answers, revision }) =>
      isJsonObject(message['error']) && revision >= '2026-07-28' && hasEnvelope(answers),
  )) {
    const code = isJsonObject(seen.message['error']) ? seen.message['error']['code'] : undefined
    if (typeof code === 'number') yield { seen, code }
  }
}

function hasEnvelope(request: SeenMessage | undefined): boolean {
  const params = request?.message['params']
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  return (
    isJsonObject(meta) &&
    typeof meta[MetaKey.protocolVersion] === 'string' &&
    isJsonObject(meta[MetaKey.clientCapabilities])
  )
}

/** Whether the situation is the one that a code is defined for, as far as the request shows it. */
function isInPlace(code: number, { frame, answers, message }: SeenMessage): boolean {
  const error = isJsonObject(message['error']) ? message['error'] : {}
  const data = isJsonObject(error['data']) ? error['data'] : {}
  // A header can contradict the body on Streamable HTTP alone.
  if (code === -32_020) return frame.connection.transport === 'http'
  if (code === -32_021) return isJsonObject(data['requiredCapabilities'])
  return Array.isArray(data['supported']) && !data['supported'].includes(versionOf(answers))
}

function versionOf(request: SeenMessage | undefined): unknown {
  const params = request?.message['params']
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  return isJsonObject(meta) ? meta[MetaKey.protocolVersion] : undefined
}

const DATA: readonly unknown[] = [undefined, null, 3, [1], { details: { deep: [true] } }]

export const dataTolerated = clientCheck(
  'base.error.data-tolerated',
  async (exam) => {
    exam.on('tools/call', ({ count }) => {
      const data = DATA[count]
      return { error: { code: -32_603, message: 'The tool failed', ...(data !== undefined && { data }) } }
    })
    await exam.connect()
    for (const data of DATA) {
      const called = await exam.step({ type: 'call', tool: 'echo', arguments: { text: 'a' } })
      const next = await exam.step({ type: 'list', list: 'tools' })
      exam.expect(called.type === 'failed' && next.type === 'done' && exam.connections.length === 1, {
        expected: `a failed call, and the next request served, with error data ${shortJson(data)}`,
        actual: `the call ${called.type}, the next request ${next.type === 'done' ? 'done' : `failed: ${next.message}`}`,
        member: '/error/data',
        frame: exam.messagesOf('tools/call').at(-1)?.frame,
      })
    }
  },
  { title: 'Error data of any type is tolerated' },
)

export const noMeaning = clientCheck(
  'base.error.private-codes-no-meaning',
  async (exam) => {
    const codes = [-32_001, -32_003]
    exam.on('tools/call', ({ count }) => ({ error: { code: codes[count % 2], message: 'It failed' } }))
    exam.on('resources/read', () => ({ error: { code: -32_002, message: 'Resource not found' } }))
    await exam.connect()
    for (const code of codes) {
      const from = exam.received.length
      const outcome = await exam.step({ type: 'call', tool: 'echo', arguments: { text: 'a' } })
      const sent = exam.received.slice(from)
      exam.expect(outcome.type === 'failed' && sent.length <= 1 && exam.connections.length === 1, {
        expected: `error ${code} reported as it is, without another request`,
        actual: `the call ${outcome.type}, after ${sent.map(({ message }) => String(message['method'])).join(', ')}`,
        statement: 'base.error.legacy-range-no-meaning',
        member: '/error/code',
        frame: sent.map(({ frame }) => frame),
      })
    }
    const read = await exam.step({ type: 'read', uri: 'exam://text' })
    exam.expect(read.type === 'failed', {
      expected: 'error -32002 reported as "not found"',
      actual: 'no error',
      statement: 'base.error.accept-32002',
      frame: exam.messagesOf('resources/read').at(-1)?.frame,
    })
  },
  { title: 'Codes of the legacy range have no meaning' },
)
