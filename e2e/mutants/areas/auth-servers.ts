import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import type { ChangeMessage, Mutant } from '../mutant.ts'

const RESOURCE = '/.well-known/oauth-protected-resource'

/** Changes the metadata of the protected resource. */
const changeResource =
  (change: (metadata: JsonObject) => JsonObject): ChangeMessage =>
  (message) =>
    Array.isArray(message['authorization_servers']) && typeof message['resource'] === 'string'
      ? change(message)
      : message

const EMPTY = Buffer.alloc(0)

/** Mutants of servers that want a token. */
export const AUTH_SERVER_MUTANTS: readonly Mutant[] = [
  {
    id: 'm.auth.server.prm',
    side: 'server',
    fault: { outgoing: changeResource((metadata) => ({ ...metadata, authorization_servers: [] })) },
  },
  {
    id: 'm.auth.server.as-metadata',
    side: 'server',
    fault: {
      outgoing: changeResource((metadata) => ({
        ...metadata,
        authorization_servers: (metadata['authorization_servers'] as unknown[]).map(
          (issuer) => `${String(issuer)}/`,
        ),
      })),
    },
    revisions: ['2025-06-18', '2025-11-25', '2026-07-28'],
  },
  {
    id: 'm.auth.server.2503-metadata',
    side: 'server',
    fault: {
      http: async (request, next) => {
        if (request.path.startsWith(RESOURCE)) return { status: 404, headers: {}, body: EMPTY }
        const response = await next(request)
        const { 'www-authenticate': challenge, ...headers } = response.headers
        return challenge === undefined
          ? response
          : { ...response, headers: { ...headers, 'www-authenticate': 'Bearer' } }
      },
    },
  },
  {
    id: 'm.auth.server.offline-access',
    side: 'server',
    fault: {
      outgoing: (message) =>
        isJsonObject(message) && Array.isArray(message['authorization_servers'])
          ? { ...message, scopes_supported: ['mcp:use', 'offline_access'] }
          : message,
    },
  },
  {
    id: 'm.auth.server.audience',
    side: 'server',
    fault: { resource: { audiences: ['https://other.example/mcp'] } },
  },
  {
    id: 'm.auth.server.every-request',
    side: 'server',
    revisions: ['2025-11-25'],
    fault: {
      http: async (request, next, peer) => {
        const session = request.headers['mcp-session-id']
        const known = session === undefined ? undefined : peer.get(session)
        const isBare = request.headers['authorization'] === undefined && typeof known === 'string'
        const headers = isBare ? { ...request.headers, authorization: known } : request.headers
        const response = await next({ ...request, headers })
        const issued = response.headers['mcp-session-id']
        const { authorization } = request.headers
        if (issued !== undefined && authorization !== undefined) peer.set(issued, authorization)
        return response
      },
    },
    alsoBreaks: { 'security.server.session-not-auth': 'it is the same fault' },
  },
  {
    id: 'm.auth.server.scope',
    side: 'server',
    fault: {
      http: async (request, next) => {
        const response = await next(request)
        const { 'www-authenticate': challenge = '', ...headers } = response.headers
        if (response.status !== 403) return response
        const one = challenge.replace(/scope="(.*?) [^" ]+"/, 'scope="$1"')
        return { ...response, headers: { ...headers, 'www-authenticate': one } }
      },
    },
  },
  {
    id: 'm.auth.server.order',
    side: 'server',
    fault: {
      http: async (request, next) => {
        try {
          if (request.body.length > 0) JSON.parse(request.body.toString())
          return await next(request)
        } catch {
          const error = { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } }
          const headers = { 'content-type': 'application/json' }
          return { status: 400, headers, body: Buffer.from(JSON.stringify(error)) }
        }
      },
    },
  },
]
