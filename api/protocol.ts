/** Entry point `patchbay/protocol`: parse, classify and check messages of every revision. No I/O. */
export { ErrorCode, ProtocolError } from '../server-core/protocol/errors.ts'
export { limitsOf } from '../server-core/protocol/limits.ts'
export type { Limits } from '../server-core/protocol/limits.ts'
export { lintMessage } from '../server-core/protocol/lint/lint-message.ts'
export type { Finding, LintOptions } from '../server-core/protocol/lint/report.ts'
export { classifyMessage } from '../server-core/protocol/messages.ts'
export type {
  Classified,
  JsonRpcError,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResult,
  RequestId,
} from '../server-core/protocol/messages.ts'
export { parseMessage } from '../server-core/protocol/parse.ts'
export type { ParsedMessage } from '../server-core/protocol/parse.ts'
export { LATEST, REVISIONS, revisionRow, STABLE, SUPPORTED } from '../server-core/protocol/revisions.ts'
export type { Era, Revision, RevisionRow } from '../server-core/protocol/revisions.ts'
export type { WireTransport } from '../server-core/protocol/transport-kind.ts'
export { samplingFaults } from '../server-core/protocol/sampling-rules.ts'
export type { SamplingFault } from '../server-core/protocol/sampling-rules.ts'
export {
  notificationSchema,
  requestSchema,
  resultSchema,
  wireSchema,
} from '../server-core/protocol/wire/schemas.ts'
