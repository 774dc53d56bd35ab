import { Authority } from '../../../server-core/authorization/authority.test-support.ts'
import { createResourceServer } from '../../../server-core/authorization/resource-server.ts'
import type { ProtectedServer, TokenChange } from '../../../server-core/conformance/probe/protected-server.ts'
import { startHttpListener, type HttpListenerOptions } from '../../../server-core/listener/http-listener.ts'
import type { McpServer } from '../../../server-core/server/server.ts'
import type { Fault } from '../mutant.ts'
import { MutatingProxy } from './mutating-proxy.ts'

/** The scope that every request to the protected reference needs. */
const SCOPE = 'mcp:use'

/** The reference server behind an authorization server of its own. */
export async function startProtectedReference(
  server: McpServer,
  fault: Fault,
  isProxied: boolean,
): Promise<{ readonly protectedServer: ProtectedServer; readonly close: () => Promise<void> }> {
  const authority = await Authority.start()
  const usual: HttpListenerOptions = {
    server,
    port: 0,
    routes: { mcp: true },
    authorization: (urls) =>
      createResourceServer({
        resource: urls.mcp ?? '',
        authorizationServers: [{ issuer: authority.issuer }],
        requiredScopes: { server: [SCOPE], tools: { test_echo: ['echo:read', 'echo:write'] } },
        ...fault.resource,
      }),
  }
  const listener = await startHttpListener(fault.listener?.(usual) ?? usual)
  const proxy = isProxied ? new MutatingProxy(fault, 'server', new URL(listener.url).origin) : undefined
  const url = proxy === undefined ? listener.url : `${await proxy.start()}/mcp`
  const mint = ({
    audience = listener.url,
    issuer,
    expiresInS,
    scope = SCOPE,
    subject,
    claims,
  }: TokenChange) =>
    authority.token(audience, {
      claims: {
        scope,
        ...(issuer !== undefined && { iss: issuer }),
        ...(expiresInS !== undefined && { exp: Math.floor(Date.now() / 1_000) + expiresInS }),
        ...(subject !== undefined && { sub: subject }),
        ...claims,
      },
    })
  return {
    protectedServer: { url, token: await mint({}), secondToken: await mint({ subject: 'bob' }), mint },
    close: async () => {
      await proxy?.close()
      await listener.close({ graceMs: 50 })
      await authority.close()
    },
  }
}
