/** Entry point `patchbay/client`: connect to any MCP server. docs/client.md shows each feature. */
export { connectTo } from '../server-core/client/connect-to.ts'
export type { ClientOptions } from '../server-core/client/connect-to.ts'
export { connect } from '../server-core/client/connect.ts'
export type { Connection, ConnectOptions } from '../server-core/client/connect.ts'
export {
  ConnectError,
  InvalidAnswerError,
  PeerError,
  RequestFailedError,
} from '../server-core/client/errors.ts'
export type { ConnectFailureCode, ProbeStep, RequestFailureCode } from '../server-core/client/errors.ts'
export { callTool, checkOutput } from '../server-core/client/requests/call-tool.ts'
export type { CallOptions, CallOutcome, ToolCall } from '../server-core/client/requests/call-tool.ts'
export { complete } from '../server-core/client/requests/complete.ts'
export type { CompletionQuestion, Completions } from '../server-core/client/requests/complete.ts'
export { ping } from '../server-core/client/requests/ping.ts'
export { getPrompt, readResource } from '../server-core/client/requests/read.ts'
export type { GotPrompt, ReadResource } from '../server-core/client/requests/read.ts'
export { notifyRootsChanged } from '../server-core/client/requests/roots-changed.ts'
export { TaskHandle } from '../server-core/client/tasks/task-handle.ts'
export type { TaskResultOptions } from '../server-core/client/tasks/task-handle.ts'
export type { ServerAddress, TransportOptions } from '../server-core/transports/opener.ts'
