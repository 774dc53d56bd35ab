/** Entry point `patchbay/server`: write and serve an MCP server. docs/server.md shows each feature. */
export { createResourceServer } from '../server-core/authorization/resource-server.ts'
export type { ResourceServerOptions } from '../server-core/authorization/options.ts'
export { ListenError, startHttpListener } from '../server-core/listener/http-listener.ts'
export type { HttpListener, HttpListenerOptions } from '../server-core/listener/http-listener.ts'
export { ErrorCode, ProtocolError } from '../server-core/protocol/errors.ts'
export { concealErrors } from '../server-core/registry/conceal-errors.ts'
export type { HandlerContext } from '../server-core/registry/context.ts'
export type { ToolDefinition } from '../server-core/registry/definitions.ts'
export type { ErrorMapper, Guard, HandlerCall, Interceptor } from '../server-core/registry/middleware.ts'
export type { PromptDefinition } from '../server-core/registry/prompt-definitions.ts'
export { Registry } from '../server-core/registry/registry.ts'
export type {
  ResourceDefinition,
  ResourceTemplateDefinition,
} from '../server-core/registry/resource-definitions.ts'
export { streamed } from '../server-core/registry/stream.ts'
export type { ClientEvent, ClientListener, ServerClient } from '../server-core/server/server-client.ts'
export { createServer } from '../server-core/server/server.ts'
export type { McpServer, ServerOptions } from '../server-core/server/server.ts'
export { createProxy } from '../server-core/sources/proxy/proxy.ts'
export type { Proxy, ProxyOptions } from '../server-core/sources/proxy/proxy.ts'
export { claimStandardOutput, stdioServerLink } from '../server-core/transports/stdio/stdio-server.ts'
export type { StdioServerOptions } from '../server-core/transports/stdio/stdio-server.ts'
