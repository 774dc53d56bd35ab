import { Authority } from '../../../server-core/authorization/authority.test-support.ts'
import { createResourceServer } from '../../../server-core/authorization/resource-server.ts'
import { Registry } from '../../../server-core/registry/registry.ts'
import { createServer } from '../../../server-core/server/server.ts'
import { startHttpListener } from '../../../server-core/listener/http-listener.ts'
import type { StartedServer } from './task-server.ts'

/** A server of the product that takes tokens of an authorization server beside it, both on loopback. */
export async function startGuardedServer(): Promise<StartedServer & { readonly issuer: string }> {
  const authority = await Authority.start()
  const registry = new Registry()
  registry.addTool({ name: 'whoami', run: (_args, ctx) => ctx.principal?.subject ?? 'nobody' })
  const server = createServer({ registry, info: { name: 'guarded', version: '1.0.0' } })
  const listener = await startHttpListener({
    server,
    port: 0,
    authorization: ({ mcp = '' }) =>
      createResourceServer(
        {
          resource: mcp,
          authorizationServers: [{ issuer: authority.issuer }],
          requiredScopes: { server: ['mcp'] },
        },
        () => undefined,
      ),
  })
  return {
    url: listener.url,
    issuer: authority.issuer,
    close: async () => {
      await listener.close()
      await server.close()
      await authority.close()
    },
  }
}
