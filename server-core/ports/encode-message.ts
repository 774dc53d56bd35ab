import { countText } from '../protocol/count-text.ts'
import type { Limits } from '../protocol/limits.ts'
import type { JsonRpcMessage } from '../protocol/messages.ts'
import { TransportError } from './contract.ts'

/** The bytes of one message as it is sent. Throws a `TransportError` with code `limit` if it is too long. */
export function encodeMessage(
  message: JsonRpcMessage,
  { messageBytes }: Pick<Limits, 'messageBytes'>,
): Buffer {
  const bytes = Buffer.from(JSON.stringify(message))
  if (bytes.length > messageBytes) throw tooLong(bytes.length, messageBytes)
  return bytes
}

export function tooLong(length: number, messageBytes: number): TransportError {
  const message = `the message has ${countText(length)} bytes; at most ${countText(messageBytes)} are sent (limit messageBytes)`
  return new TransportError('limit', message)
}
