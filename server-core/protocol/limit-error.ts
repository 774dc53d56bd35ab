import { ErrorCode, ProtocolError } from './errors.ts'
import type { Limits } from './limits.ts'
import type { Classified } from './messages.ts'

/**
 * The error for exceeding a limit. `data` names the limit and its value, for programs; `reason` is a clause that
 * says what there is too much of, with the value in it.
 */
export function overLimit(
  limit: keyof Limits,
  value: number,
  reason: string,
  further: { readonly retryAfterMs?: number } = {},
): ProtocolError {
  const message = `Invalid request: ${reason} (limit ${limit})`
  return new ProtocolError(ErrorCode.invalidRequest, message, { limit, value, ...further })
}

/** A request, or an array of them, that came too soon after others; `Infinity` for one that can never come at once. */
export function tooOften(
  { requestsPerSecond }: Pick<Limits, 'requestsPerSecond'>,
  retryAfterMs: number,
): ProtocolError {
  if (retryAfterMs === Infinity) {
    const reason = `the array has more than ${requestsPerSecond} requests, which is what may come per second`
    return overLimit('requestsPerSecond', requestsPerSecond, reason)
  }
  const reason = `more than ${requestsPerSecond} requests came per second; try again in ${retryAfterMs} ms`
  return overLimit('requestsPerSecond', requestsPerSecond, reason, { retryAfterMs })
}

function idTooLong({ idLength }: Pick<Limits, 'idLength'>): ProtocolError {
  return overLimit('idLength', idLength, `the id is longer than ${idLength} characters`)
}

/** The refusal of a request whose id is too long to be repeated, or of an invalid message with such an id. */
export function overlongIdOf(
  classified: Classified,
  limits: Pick<Limits, 'idLength'>,
): ProtocolError | undefined {
  if (classified.type !== 'request' && classified.type !== 'invalid') return undefined
  const id = classified.type === 'request' ? classified.message.id : classified.id
  return typeof id === 'string' && id.length > limits.idLength ? idTooLong(limits) : undefined
}
