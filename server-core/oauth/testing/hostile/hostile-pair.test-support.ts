import type { IncomingMessage, ServerResponse } from 'node:http'
import { randomUUID } from 'node:crypto'
import type { Attack } from './attack.test-support.ts'
import { json, Listener } from './listener.test-support.ts'

/**
 * An MCP server that a client trusts and has a token for, and that turns hostile; and the authorization server it
 * names from then on, hostile as well. Both do everything right but for one attack.
 */
export class HostilePair {
  readonly server: Listener
  readonly authority: Listener
  /** The authorization server that the MCP server names. */
  issuer: string
  attack: Attack | undefined
  /** Tokens that the MCP server takes; what the hostile authorization server issues is good by itself. */
  takes: (token: string) => boolean = () => false
  readonly #issued = new Set<string>()

  private constructor(server: Listener, authority: Listener) {
    this.server = server
    this.authority = authority
    this.issuer = authority.origin
    server.handle = (request, response, body) => this.#serve(request, response, body)
    authority.handle = (request, response, body) => this.#authorize(request, response, body)
  }

  static async start(): Promise<HostilePair> {
    const nothing = (): undefined => undefined
    return new HostilePair(await Listener.start(nothing), await Listener.start(nothing))
  }

  get url(): string {
    return `${this.server.origin}/mcp`
  }

  async close(): Promise<void> {
    await this.server.close()
    await this.authority.close()
  }

  #serve(request: IncomingMessage, response: ServerResponse, body: string): void {
    const { origin } = this.server
    if (
      request.url === '/metadata' ||
      request.url?.startsWith('/.well-known/oauth-protected-resource') === true
    ) {
      const right = { resource: this.url, authorization_servers: [this.issuer], scopes_supported: ['read'] }
      this.#answer('resource-metadata', request, response, right)
      return
    }
    const [, token = ''] = /^(?:Bearer|DPoP) (.+)$/.exec(request.headers.authorization ?? '') ?? []
    if (!this.takes(token) && !this.#issued.has(token)) {
      const header = this.attack?.place === 'challenge' ? this.attack.header : undefined
      const right = `Bearer error="invalid_token", resource_metadata="${origin}/metadata"`
      response.writeHead(401, { 'www-authenticate': header ?? right }).end()
    } else if (this.attack?.place === 'call' && this.attack.answer !== undefined) {
      this.attack.answer(request, response)
    } else call(request, response, body)
  }

  #authorize(request: IncomingMessage, response: ServerResponse, body: string): void {
    const { origin } = this.authority
    const url = new URL(request.url ?? '/', origin)
    switch (url.pathname) {
      case '/.well-known/oauth-authorization-server':
        this.#answer('server-metadata', request, response, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          revocation_endpoint: `${origin}/revoke`,
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'none'],
        })
        return
      case '/register':
        this.#answer('registration', request, response, { ...parsed(body), client_id: randomUUID() }, 201)
        return
      case '/authorize': {
        const back = new URL(url.searchParams.get('redirect_uri') ?? 'http://127.0.0.1/')
        const right = { code: randomUUID(), state: url.searchParams.get('state'), iss: origin }
        const given = { ...right, ...(this.attack?.place === 'authorization' ? this.attack.members : {}) }
        for (const [name, value] of Object.entries(given)) {
          if (typeof value === 'string') back.searchParams.append(name, value)
        }
        response.writeHead(302, { location: back.href }).end()
        return
      }
      case '/token': {
        const token = randomUUID()
        this.#issued.add(token)
        this.#answer('token', request, response, {
          ...{ access_token: token, token_type: 'Bearer', expires_in: 60, refresh_token: randomUUID() },
        })
        return
      }
      default:
        json(response, {}, 404)
    }
  }

  #answer(
    place: Attack['place'],
    request: IncomingMessage,
    response: ServerResponse,
    right: Readonly<Record<string, unknown>>,
    status = 200,
  ): void {
    const attack = this.attack?.place === place ? this.attack : undefined
    if (attack?.answer === undefined) json(response, { ...right, ...attack?.members }, status)
    else attack.answer(request, response)
  }
}

/** What a server of 2025-11-25 answers that offers nothing. */
function call(request: IncomingMessage, response: ServerResponse, body: string): void {
  const { id, method } = parsed(body)
  if (request.method !== 'POST') response.writeHead(405).end()
  else if (id === undefined) response.writeHead(202).end()
  else if (method === 'initialize') {
    const result = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      serverInfo: { name: 'x', version: '1' },
    }
    json(response, { jsonrpc: '2.0', id, result })
  } else json(response, { jsonrpc: '2.0', id, result: {} })
}

function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(body) as Readonly<Record<string, unknown>>
  } catch {
    return {}
  }
}
