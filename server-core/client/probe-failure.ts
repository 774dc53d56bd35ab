import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import { isJsonObject } from '../protocol/json.ts'
import { bodyEvidence } from '../transports/http/body-evidence.ts'
import { TransportError, type TransportEvidence } from '../ports/contract.ts'
import { PeerError, RequestFailedError, type ConnectFailureCode } from './errors.ts'
import { VersionMismatch } from './handshake.ts'
import { namesOpening } from './stderr-reason.ts'
import { messageOf } from '../protocol/error-message.ts'

/** Whether a value is a list of revisions, as servers name those that they support. */
export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** The failure of the transport that an error stands for, if it does. */
export function transportErrorIn(error: unknown): TransportError | undefined {
  if (error instanceof TransportError) return error
  return error instanceof RequestFailedError && error.cause instanceof TransportError
    ? error.cause
    : undefined
}

/** The process or connection ended by itself, so that a fresh one may do better. */
export function hasEnded(error: unknown): boolean {
  return error instanceof RequestFailedError && error.code === 'closed'
}

/**
 * Why a process that ended before it answered is worth a second start, as the end of a sentence. It is only if the
 * message that opened the connection may have ended it: a command that fails by itself would do everything twice.
 *
 * @returns `undefined` if something else explains its end
 */
export function reasonForFreshProcess(error: unknown): string | undefined {
  if (!hasEnded(error)) return undefined
  const { stderr = '', strayOutput, signal, pid } = transportErrorIn(error)?.evidence ?? {}
  if (signal !== undefined || strayOutput !== undefined) return undefined
  if (stderr.trim() === '')
    return `the message may have ended it${pid === undefined ? '' : ', as nothing on stderr says why'}`
  return namesOpening(stderr) ? 'stderr says that the message ended it' : undefined
}

/** A refusal of the handshake with a status that an HTTP+SSE server gives where it takes no POST. */
export function mayBeOlderTransport(error: unknown): boolean {
  const transport = transportErrorIn(error)
  const status = error instanceof PeerError ? error.httpStatus : transport?.evidence.httpStatus
  if (transport !== undefined && transport.code !== 'http-status') return false
  return status !== undefined && status >= 400 && status < 500 && !NO_EVIDENCE.has(status)
}

/** Authorization, a time limit and a rate limit say nothing about what is spoken. */
const NO_EVIDENCE: ReadonlySet<number> = new Set([401, 403, 408, 429])

/** An HTTP status without a message of the server. */
export function isPlainRefusal(error: unknown): boolean {
  return transportErrorIn(error)?.code === 'http-status'
}

/** What is known of the HTTP reply that brought the server's error; nothing where it came over pipes. */
export function answerEvidence({ bytes, httpStatus, httpHeaders }: PeerError): TransportEvidence {
  if (httpStatus === undefined) return {}
  return {
    httpStatus,
    ...(httpHeaders !== undefined && { httpHeaders }),
    httpBody: bodyEvidence(bytes),
  }
}

/** The kind of failure that an error of the opening is. */
export function codeOf(error: unknown): ConnectFailureCode {
  if (error instanceof VersionMismatch) return 'version-mismatch'
  if (error instanceof ProtocolError) {
    const isMismatch =
      error.code === ErrorCode.unsupportedProtocolVersion ||
      (isJsonObject(error.data) && Array.isArray(error.data['supported']))
    return isMismatch ? 'version-mismatch' : 'refused'
  }
  if (!(error instanceof RequestFailedError)) return 'cancelled'
  return error.code === 'timeout'
    ? 'timeout'
    : error.code === 'invalid-answer'
      ? 'invalid-answer'
      : 'cancelled'
}

/** An error of the opening in words, with the revisions that the server names. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof ProtocolError)) return messageOf(error)
  const supported = isJsonObject(error.data) ? error.data['supported'] : undefined
  const list = isTextList(supported) ? `; it supports ${supported.join(', ')}` : ''
  return `the server refused the connection: ${error.message} (${error.code})${list}`
}
