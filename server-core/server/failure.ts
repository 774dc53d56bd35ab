import { CodedError } from '../protocol/coded-error.ts'
import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import type { RevisionRow } from '../protocol/revisions.ts'
import { ResourceNotFoundError } from '../registry/errors.ts'
import { InputUnavailableError } from '../registry/invocation.ts'
import type { HandlerCall } from './features/handler-call.ts'
import type { WireResult } from './result-metadata.ts'
import { RunEndedError } from './run.ts'
import { messageOf } from '../protocol/error-message.ts'

/** The client can be asked, but gave no answer: not in time, or its session ended. */
export class UnansweredError extends CodedError<'unanswered'> {
  override readonly name = 'UnansweredError'

  constructor(message: string, options?: ErrorOptions) {
    super('unanswered', message, options)
  }
}

/** What to answer when a request or its handler failed: an error, or a result that tells the model. */
export type Failure =
  | { readonly type: 'error'; readonly error: ProtocolError }
  | { readonly type: 'result'; readonly result: WireResult }

/** Makes an answer of whatever was thrown while a request of that revision was served. */
export function failureOf(thrown: unknown, row: RevisionRow, call: HandlerCall | undefined): Failure {
  if (thrown instanceof ResourceNotFoundError) {
    return failed(new ProtocolError(row.resourceNotFoundCode, thrown.message, { uri: thrown.uri }))
  }
  if (thrown instanceof ProtocolError) return failed(withinRevision(thrown, row))
  if (thrown instanceof InputUnavailableError && row.era === 'modern') {
    const data = { requiredCapabilities: thrown.requiredCapabilities }
    return failed(new ProtocolError(ErrorCode.missingClientCapability, thrown.message, data))
  }
  const message = messageOf(thrown)
  const readable =
    thrown instanceof InputUnavailableError ||
    thrown instanceof UnansweredError ||
    (thrown instanceof RunEndedError && thrown.code === 'timeout')
  if (readable && call?.faultResult !== undefined)
    return { type: 'result', result: call.faultResult(message) }
  return failed(new ProtocolError(ErrorCode.internalError, `Internal error: ${message}`))
}

function failed(error: ProtocolError): Failure {
  return { type: 'error', error }
}

/** Codes that 2026-07-28 keeps for itself: a server may send only those that the revision defines. */
const RESERVED = { from: -32_099, to: -32_020 } as const
const OF_OLDER_REVISIONS: ReadonlySet<number> = new Set([
  ErrorCode.resourceNotFound,
  ErrorCode.urlElicitationRequired,
])

/** A handler's own error; a code that the revision does not let servers send becomes one that says about the same. */
function withinRevision(error: ProtocolError, row: RevisionRow): ProtocolError {
  const { code, message, data } = error
  if (row.era !== 'modern' || row.errorCodes.includes(code)) return error
  const reserved = code >= RESERVED.from && code <= RESERVED.to
  if (!reserved && !OF_OLDER_REVISIONS.has(code)) return error
  const instead = code === ErrorCode.resourceNotFound ? ErrorCode.invalidParams : ErrorCode.internalError
  return new ProtocolError(instead, message, data)
}
