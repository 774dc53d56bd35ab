import { TransportError, type TransportErrorCode } from '../../ports/contract.ts'
import { connectionFailure } from '../http/http-failure.ts'

/** What the close codes mean (RFC 6455, 7.4.1, and the registry). */
const MEANINGS: ReadonlyMap<number, string> = new Map([
  [1000, 'normal'],
  [1001, 'the server goes away'],
  [1002, 'a protocol error'],
  [1003, 'data it does not take'],
  [1005, 'no code'],
  [1007, 'text that is not UTF-8'],
  [1008, 'its policy'],
  [1009, 'a message too big for it'],
  [1011, 'an internal error'],
  [1012, 'a restart'],
  [1013, 'try again later'],
  [1014, 'a bad gateway'],
])

/** The connection was cut without a close frame. */
const ABNORMAL = 1006

/**
 * Why a WebSocket ended that we did not close: the code and reason as evidence, or the fault that came before.
 *
 * @param fault what the socket reported, if it did
 */
export function closeFailure(code: number, reason: string, fault: unknown, url: string): TransportError {
  const evidence = { url, closeCode: code, ...(reason === '' ? {} : { closeReason: reason }) }
  const cause = fault === undefined ? {} : { cause: fault }
  const fail = (kind: TransportErrorCode, message: string): TransportError =>
    new TransportError(kind, message, evidence, cause)
  switch (faultCode(fault)) {
    case undefined:
      break
    case 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH':
    case 'WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH':
    case 'WS_ERR_TOO_MANY_BUFFERED_PARTS':
      return fail('limit', 'the server sent a message longer than is read (limit messageBytes)')
    default:
      if (/^WS_ERR_/.test(faultCode(fault) ?? ''))
        return fail(
          'not-mcp',
          `the server broke the WebSocket protocol: ${fault instanceof Error ? fault.message : ''}`,
        )
      return new TransportError(
        'connection-failed',
        connectionFailure(fault, url, 0).message,
        evidence,
        cause,
      )
  }
  if (code === ABNORMAL) return fail('connection-failed', 'the WebSocket was cut without a close frame')
  const meaning = MEANINGS.get(code)
  const named = meaning === undefined ? String(code) : `${code} (${meaning})`
  return fail(
    code === 1009 ? 'limit' : 'connection-failed',
    `the server closed the WebSocket with ${named}${reason === '' ? '' : `: ${reason}`}`,
  )
}

function faultCode(fault: unknown): string | undefined {
  if (fault === undefined) return undefined
  return fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : ''
}
