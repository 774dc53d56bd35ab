import { createResourceServer } from '../../server-core/authorization/resource-server.ts'
import { Registry } from '../../server-core/registry/registry.ts'
import { createServer } from '../../server-core/server/server.ts'
import { run } from './run.ts'

const registry = new Registry()

// The principal is who the access token speaks for; the token itself never gets here.
registry.addTool({ name: 'whoami', run: (_args, ctx) => ctx.principal?.subject ?? 'nobody' })
registry.addTool({ name: 'deploy', run: () => 'deployed' })

// Tokens that say nothing by themselves: their authorization server is asked about each, by this server's own
// credentials there. Without it, the signature of a token is checked here.
const secret = process.env['EXAMPLE_INTROSPECTION_SECRET']
const introspection =
  secret === undefined ? {} : { introspection: { clientId: 'rs:1', clientSecret: secret } }

const authorization = createResourceServer(
  {
    // What tokens must be issued for: the public address of the server.
    resource: 'http://127.0.0.1:4040/mcp',
    authorizationServers: [
      { issuer: process.env['EXAMPLE_ISSUER'] ?? 'https://login.example.com', ...introspection },
    ],
    requiredScopes: { server: ['mcp'], tools: { deploy: ['deploy'] } },
    impliedScopes: { deploy: ['mcp'] },
  },
  (error) => console.error(error.message),
)

await run(createServer({ registry, info: { name: 'authorization', version: '1.0.0' } }), { authorization })
