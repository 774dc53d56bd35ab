import { isJsonObject } from '../../../protocol/json.ts'
import { passiveCheck } from '../../check.ts'
import { shortJson } from '../../probe/outcome.ts'

export const jsonrpcMember = passiveCheck(
  'base.wire.jsonrpc',
  (transcript) => {
    for (const { message, frame, pointer } of transcript.examined()) {
      if (message['jsonrpc'] === '2.0') continue
      transcript.fail({
        expected: 'jsonrpc "2.0"',
        actual: shortJson(message['jsonrpc']),
        member: `${pointer}/jsonrpc`,
        frame,
      })
    }
    const isScalar = ({ kind, value }: { kind: string; value: unknown }) =>
      kind === 'message' && !isJsonObject(value) && !Array.isArray(value)
    for (const frame of transcript.examinedFrames(isScalar)) {
      transcript.fail({ expected: 'an object', actual: shortJson(frame.value), frame })
    }
  },
  { title: 'Messages carry jsonrpc "2.0"' },
)

export const requestId = passiveCheck(
  'base.wire.request-id',
  (transcript) => {
    for (const { message, frame, pointer } of transcript.examined(({ kind }) => kind === 'request')) {
      const { id } = message
      if (typeof id === 'string' || Number.isInteger(id)) continue
      const statement = id === null ? 'base.request.id-not-null' : 'base.request.id-present'
      const expected = 'an id that is a string or an integer'
      transcript.fail({ expected, actual: shortJson(id), statement, member: `${pointer}/id`, frame })
    }
  },
  { title: 'Requests have a string or integer id' },
)

export const responseXor = passiveCheck(
  'base.wire.response-xor',
  (transcript) => {
    for (const { message, frame, pointer } of transcript.examined(({ kind }) => kind === 'response')) {
      const hasResult = 'result' in message
      const hasError = 'error' in message
      if (hasResult === hasError) {
        transcript.fail({
          expected: 'exactly one of result and error',
          actual: hasResult ? 'both' : 'neither',
          member: pointer,
          frame,
        })
      } else if (hasResult && !isJsonObject(message['result'])) {
        transcript.fail({
          expected: 'a result that is an object',
          actual: shortJson(message['result']),
          statement: 'base.response.result-member',
          member: `${pointer}/result`,
          frame,
        })
      }
    }
  },
  { title: 'Responses have either result or error' },
)

export const errorShape = passiveCheck(
  'base.error.object-shape',
  (transcript) => {
    for (const { message, frame, pointer } of transcript.examined(
      ({ message: { error } }) => error !== undefined,
    )) {
      const { error } = message
      const code = isJsonObject(error) ? error['code'] : undefined
      if (!Number.isInteger(code)) {
        transcript.fail({
          expected: 'an integer code',
          actual: shortJson(code),
          statement: 'base.error.code-integer',
          member: `${pointer}/error/code`,
          frame,
        })
      }
      if (!isJsonObject(error) || typeof error['message'] !== 'string') {
        transcript.fail({
          expected: 'an error with a message that is a string',
          actual: shortJson(error),
          statement: 'base.error.shape',
          member: `${pointer}/error`,
          frame,
        })
      }
    }
  },
  { title: 'Errors have an integer code and a message' },
)

export const notificationId = passiveCheck(
  'base.notification.no-id',
  (transcript) => {
    for (const { message, frame, pointer } of transcript.examined(({ kind }) => kind === 'notification')) {
      if (!('id' in message)) continue
      transcript.fail({ expected: 'no id', actual: shortJson(message['id']), member: `${pointer}/id`, frame })
    }
  },
  { title: 'Notifications have no id' },
)
