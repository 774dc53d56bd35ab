import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that came, for tests to look at. */
export type Received = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** What a test changes of an authorization server that is right otherwise. */
export type AuthorityOptions = {
  /** The path of its issuer; none by default. */
  readonly issuerPath?: string
  /** The paths at which its metadata stands; RFC 8414's by default, with the issuer's path behind it. */
  readonly metadataAt?: readonly string[]
  /** Members that replace or, being undefined, remove members of the metadata. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** The `iss` of its answers: as it should be, left out, or another. */
  readonly iss?: 'own' | 'none' | { readonly other: string }
  /** Parameters that the answer of the authorization page has instead of a code. */
  readonly answer?: Readonly<Record<string, string>>
  /** What becomes of refresh tokens; `rotate` by default: each is good once. */
  readonly refresh?: 'rotate' | 'keep' | 'none'
  /** Seconds that a token is good for; undefined names no end. */
  readonly expiresIn?: number
  /** Scopes it grants whatever is asked. */
  readonly grants?: readonly string[]
  /** What registration adds to or, being undefined, takes from its reply; a number is a status that refuses. */
  readonly registration?: Readonly<Record<string, unknown>> | number
  /**
   * Answers the token endpoint in place of what it does; an `access_token` in the body is good from then on. Undefined
   * leaves the request to what it does.
   */
  readonly token?: (request: Received) => Promise<TokenAnswer | undefined>
  /** The type of its tokens; `Bearer` by default. */
  readonly tokenType?: string
  /** Clients that were registered by hand: their secrets by id. */
  readonly clients?: Readonly<Record<string, string>>
}

type Client = { readonly secret?: string; readonly method: string; readonly redirectUris?: readonly string[] }
type Grant = { readonly clientId: string; readonly scope: string; readonly resource: string }
type Code = Grant & { readonly challenge: string; readonly redirectUri: string }
type Reply = {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}
export type TokenAnswer = Reply & { readonly body: Readonly<Record<string, unknown>> }

/**
 * A real authorization server on loopback for a user who always agrees: registration, authorization codes with PKCE
 * that are good once, client authentication, refresh tokens, revocation.
 */
export class TestAuthority {
  readonly issuer: string
  readonly origin: string
  readonly requests: Received[] = []
  connections = 0
  /** Tokens that are good now. */
  readonly tokens = new Map<string, Grant>()
  readonly refreshTokens = new Map<string, Grant>()
  options: AuthorityOptions
  readonly #server: Server
  readonly #clients = new Map<string, Client>()
  readonly #codes = new Map<string, Code>()

  private constructor(server: Server, options: AuthorityOptions) {
    this.#server = server
    this.options = options
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    this.issuer = `${this.origin}${options.issuerPath ?? ''}`
  }

  static async start(options: AuthorityOptions = {}): Promise<TestAuthority> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const authority = new TestAuthority(server, options)
    server.on('connection', () => {
      authority.connections += 1
    })
    server.on('request', (request, response) => void authority.#serve(request, response))
    return authority
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** What came at a path, oldest first. */
  at(path: string): Received[] {
    return this.requests.filter((request) => request.path === path)
  }

  /** Makes all tokens that are out bad. */
  expireTokens(): void {
    this.tokens.clear()
  }

  /** Knows no registration any more. */
  forgetClients(): void {
    this.#clients.clear()
  }

  metadata(): Readonly<Record<string, unknown>> {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      registration_endpoint: `${this.issuer}/register`,
      revocation_endpoint: `${this.issuer}/revoke`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      authorization_response_iss_parameter_supported: true,
      ...this.options.metadata,
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin)
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const received: Received = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body,
    }
    this.requests.push(received)
    const { issuerPath = '', metadataAt = [`/.well-known/oauth-authorization-server${issuerPath}`] } =
      this.options
    const place = url.pathname.slice(issuerPath.length)
    if (place === '/authorize') {
      const location = this.#authorize(url.searchParams)
      if (location === undefined) response.writeHead(400).end('no such client or redirect address')
      else response.writeHead(302, { location }).end()
      return
    }
    const reply: Reply = metadataAt.includes(url.pathname)
      ? { status: 200, body: this.metadata() }
      : place === '/register'
        ? this.#register(body)
        : place === '/token'
          ? await this.#tokenOrOwn(received)
          : place === '/revoke'
            ? this.#revoke(received)
            : { status: 404, body: {} }
    const type = { 'content-type': 'application/json', 'cache-control': 'no-store' }
    response.writeHead(reply.status, { ...type, ...reply.headers })
    response.end(JSON.stringify(reply.body))
  }

  #register(body: string): Reply {
    const { registration = {} } = this.options
    if (typeof registration === 'number') {
      return {
        status: registration,
        body: { error: 'invalid_client_metadata', error_description: 'not today' },
      }
    }
    const asked = JSON.parse(body) as { redirect_uris: string[]; token_endpoint_auth_method: string }
    const clientId = `client-${randomUUID()}`
    const isPublic = asked.token_endpoint_auth_method === 'none'
    const full: Readonly<Record<string, unknown>> = {
      ...asked,
      client_id: clientId,
      ...(isPublic ? {} : { client_secret: `secret-${randomUUID()}`, client_secret_expires_at: 0 }),
      ...registration,
    }
    const { client_secret: secret, token_endpoint_auth_method: method } = full
    this.#clients.set(clientId, {
      method: typeof method === 'string' ? method : '',
      redirectUris: asked.redirect_uris,
      ...(typeof secret === 'string' && { secret }),
    })
    return { status: 201, body: full }
  }

  #authorize(query: URLSearchParams): string | undefined {
    const get = (name: string): string => query.get(name) ?? ''
    const client = this.#client(get('client_id'))
    const redirectUri = get('redirect_uri')
    if (client === undefined || !(client.redirectUris?.includes(redirectUri) ?? true)) return undefined
    const code = `code-${randomUUID()}`
    this.#codes.set(code, {
      clientId: get('client_id'),
      scope: this.options.grants?.join(' ') ?? get('scope'),
      resource: get('resource'),
      challenge: get('code_challenge'),
      redirectUri,
    })
    const { iss = 'own', answer = { code } } = this.options
    const back = new URL(redirectUri)
    for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value)
    if (!back.searchParams.has('state')) back.searchParams.set('state', get('state'))
    if (iss !== 'none') back.searchParams.set('iss', iss === 'own' ? this.issuer : iss.other)
    return back.href
  }

  async #tokenOrOwn(received: Received): Promise<Reply> {
    const own = await this.options.token?.(received)
    if (own === undefined) return this.#token(received)
    const form = new URLSearchParams(received.body)
    const get = (name: string): string => form.get(name) ?? ''
    const { access_token: token } = own.body
    if (typeof token === 'string') {
      this.tokens.set(token, { clientId: get('client_id'), scope: get('scope'), resource: get('resource') })
    }
    return own
  }

  #token({ headers, body }: Received): Reply {
    const form = new URLSearchParams(body)
    const get = (name: string): string => form.get(name) ?? ''
    const clientId = this.#authenticated(headers.authorization, form)
    if (clientId === undefined) return { status: 401, body: { error: 'invalid_client' } }
    if (get('grant_type') === 'authorization_code') {
      const code = this.#codes.get(get('code'))
      this.#codes.delete(get('code'))
      const challenge = createHash('sha256').update(get('code_verifier')).digest('base64url')
      const fits =
        code?.challenge === challenge &&
        code.clientId === clientId &&
        code.redirectUri === get('redirect_uri') &&
        code.resource === get('resource')
      return fits ? this.#issue(code) : { status: 400, body: { error: 'invalid_grant' } }
    }
    if (get('grant_type') === 'refresh_token') {
      const grant = this.refreshTokens.get(get('refresh_token'))
      if (grant?.clientId !== clientId || grant.resource !== get('resource')) {
        return {
          status: 400,
          body: { error: 'invalid_grant', error_description: 'the refresh token is not good' },
        }
      }
      if (this.options.refresh !== 'keep') this.refreshTokens.delete(get('refresh_token'))
      return this.#issue(grant)
    }
    return { status: 400, body: { error: 'unsupported_grant_type' } }
  }

  #issue(grant: Grant): Reply {
    const { refresh = 'rotate', expiresIn = 3_600 } = this.options
    const accessToken = `access-${randomUUID()}`
    const refreshToken = `refresh-${randomUUID()}`
    this.tokens.set(accessToken, grant)
    const gives = refresh === 'rotate' || (refresh === 'keep' && this.refreshTokens.size === 0)
    if (gives) this.refreshTokens.set(refreshToken, grant)
    const body = {
      access_token: accessToken,
      token_type: this.options.tokenType ?? 'Bearer',
      expires_in: expiresIn,
      scope: grant.scope,
      ...(gives && { refresh_token: refreshToken }),
    }
    return { status: 200, body }
  }

  #revoke({ headers, body }: Received): Reply {
    const form = new URLSearchParams(body)
    if (this.#authenticated(headers.authorization, form) === undefined) return { status: 401, body: {} }
    this.tokens.delete(form.get('token') ?? '')
    this.refreshTokens.delete(form.get('token') ?? '')
    return { status: 200, body: {} }
  }

  #client(clientId: string): Client | undefined {
    const secret = this.options.clients?.[clientId]
    if (secret !== undefined) return { secret, method: '' }
    if (clientId.startsWith('https:') && this.metadata()['client_id_metadata_document_supported'] === true) {
      return { method: 'none' }
    }
    return this.#clients.get(clientId)
  }

  /** The id of the client that the request is from, if it says so in the way it was registered with. */
  #authenticated(authorization: string | undefined, form: URLSearchParams): string | undefined {
    const basic = /^Basic (.+)$/.exec(authorization ?? '')?.[1]
    const [id = '', secret] =
      basic === undefined
        ? [form.get('client_id') ?? '', form.get('client_secret') ?? undefined]
        : Buffer.from(basic, 'base64').toString().split(':').map(formDecoded)
    const used =
      basic !== undefined ? 'client_secret_basic' : secret === undefined ? 'none' : 'client_secret_post'
    const client = this.#client(id)
    if (client === undefined || client.secret !== secret) return undefined
    return client.method === '' || client.method === used ? id : undefined
  }
}

function formDecoded(text: string): string {
  return new URLSearchParams(`v=${text}`).get('v') ?? ''
}
