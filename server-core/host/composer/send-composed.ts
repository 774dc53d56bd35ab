import type { Connection } from '../../client/connection.ts'
import type { TrafficLog } from '../../capture/traffic-log.ts'
import type { Composed, Sending, Sent } from '../contract/composer.ts'
import { HostError } from '../host-error.ts'
import { messageOf } from '../../protocol/error-message.ts'

/**
 * Sends text or bytes unchanged on an open connection. Returns the first frame of the timeline that shows it; a failure
 * to send is shown there too.
 *
 * @throws HostError `INVALID_PARAMS` if the bytes are not base64
 */
export async function sendComposed(
  connection: Connection,
  traffic: TrafficLog,
  body: Composed,
  how: Sending,
): Promise<Sent> {
  const bytes = bytesOf(body)
  const fromSeq = traffic.nextSeq()
  const at = Date.now()
  try {
    const { httpStatus } = await connection.sendRaw(bytes, { ...given(how), waitMs: 0 })
    return { at, fromSeq, ...(httpStatus !== undefined && { httpStatus }) }
  } catch (error) {
    const problem = messageOf(error)
    return { at, fromSeq, problem: traffic.masking.text(problem) }
  }
}

function bytesOf(body: Composed): Uint8Array {
  if (body.type === 'text') return new TextEncoder().encode(body.text)
  const bytes = Buffer.from(body.base64, 'base64')
  if (bytes.toString('base64').replace(/=+$/, '') !== body.base64.replace(/=+$/, ''))
    throw new HostError('INVALID_PARAMS', 'The bytes are not base64.')
  return bytes
}

/** Without the members that were left open. */
function given({ lineFeed, frame, method, headers }: Sending) {
  return {
    ...(lineFeed !== undefined && { lineFeed }),
    ...(frame !== undefined && { frame }),
    ...(method !== undefined && { method }),
    ...(headers !== undefined && { headers }),
  }
}
