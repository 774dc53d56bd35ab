import { Authority } from '../../server-core/authorization/authority.test-support.ts'
import { createResourceServer } from '../../server-core/authorization/resource-server.ts'
import { limitsOf, type Limits } from '../../server-core/protocol/limits.ts'
import type { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { startHttpListener } from '../../server-core/listener/http-listener.ts'

/** Callers that share an authorization server and differ in their user or in their client alone. */
const PRINCIPALS = {
  alice: { sub: 'alice', client_id: 'app' },
  bob: { sub: 'bob', client_id: 'app' },
  otherApp: { sub: 'alice', client_id: 'other-app' },
} as const
export type PrincipalName = keyof typeof PRINCIPALS

/** A server on loopback whose callers have access tokens of one real authorization server. */
export type GuardedServer = {
  readonly mcp: string
  readonly sse: string
  readonly ws: string
  /** The header with that caller's token. */
  readonly as: (name: PrincipalName) => Record<string, string>
  readonly close: () => Promise<void>
}

/** Serves a registry on every network route, on an authorization server of its own. */
export async function serveGuarded(
  registry: Registry,
  changed: Partial<Limits> = {},
): Promise<GuardedServer> {
  const authority = await Authority.start()
  const limits = limitsOf(changed)
  const server = createServer({ registry, info: { name: 'guarded', version: '1' }, limits })
  const listener = await startHttpListener({
    server,
    port: 0,
    limits,
    warns: false,
    routes: { mcp: true, sse: true, ws: true },
    authorization: ({ mcp = '', sse = '', ws = '' }) =>
      createResourceServer({
        resource: [mcp, sse, ws.replace('ws:', 'http:')],
        authorizationServers: [{ issuer: authority.issuer }],
      }),
  })
  const { mcp = '', sse = '', ws = '' } = listener.urls
  const tokens = new Map<PrincipalName, string>()
  for (const name of Object.keys(PRINCIPALS) as PrincipalName[]) {
    tokens.set(name, await authority.token(mcp, { claims: { ...PRINCIPALS[name], aud: [mcp, sse] } }))
  }
  return {
    mcp,
    sse,
    ws,
    as: (name) => ({ authorization: `Bearer ${tokens.get(name) ?? ''}` }),
    close: async () => {
      await listener.close()
      await server.close()
      await authority.close()
    },
  }
}
