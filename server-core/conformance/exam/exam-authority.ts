import { createHash, randomUUID } from 'node:crypto'
import type { ExamHttp } from './exam-http.ts'
import type { ExamServer } from './exam-server.ts'

type Members = Record<string, unknown>

/** One authorization that the client asked for. */
export type Authorized = {
  /** The parameters of the authorization request. */
  readonly request: URLSearchParams
  /** The parameters of the token request, once it came. */
  token: URLSearchParams | undefined
  /** Whether the verifier fits the challenge; undefined before the token request. */
  verified: boolean | undefined
}

/**
 * An authorization server and the metadata of the exam server as a protected resource, on the exam server's origin.
 * Everything a check may want to spoil is a member that it can change.
 */
export class ExamAuthority {
  /** Whether the exam server wants a token. */
  isRequired = true
  /** Metadata of the protected resource (RFC 9728); undefined answers 404. */
  resource: Members | undefined
  /** Metadata of the authorization server (RFC 8414); undefined answers 404. */
  metadata: Members | undefined
  /** The value of WWW-Authenticate on 401; undefined sends none. */
  challenge: string | undefined
  /** The path of the resource metadata beside the well-known ones. */
  resourcePath: string | undefined
  /** The metadata at a well-known path, in place of the usual; null answers 404. */
  locate: ((pathname: string) => Members | undefined | null) | undefined
  /** Changes the address to which the user is sent back. */
  alterCallback: ((callback: URL, request: URLSearchParams) => void) | undefined
  /** Changes the answer of the token endpoint; `error` in it makes it a refusal. */
  alterToken: ((reply: Members, asked: URLSearchParams) => Members) | undefined
  /** Answers a registration in another way. */
  register: ((asked: Members) => { readonly status: number; readonly body: string }) | undefined
  /** Refuses a request although its token is good. */
  refuse:
    ((exchange: ExamHttp) => { readonly status: number; readonly challenge: string } | undefined) | undefined
  /** Every token request, in order. */
  readonly tokenRequests: URLSearchParams[] = []
  readonly registrations: Members[] = []
  readonly authorizations: Authorized[] = []
  /** Tokens that are accepted. */
  readonly tokens = new Set<string>()
  readonly #server: ExamServer
  readonly #codes = new Map<string, Authorized>()

  constructor(server: ExamServer) {
    this.#server = server
    const origin = server.publicOrigin
    const isOld = server.parts.cell.revision === '2025-03-26'
    const issuer = isOld ? origin : `${origin}/as`
    this.resource = isOld ? undefined : { resource: server.url, authorization_servers: [issuer] }
    this.metadata = {
      issuer,
      authorization_endpoint: `${origin}/as/authorize`,
      token_endpoint: `${origin}/as/token`,
      registration_endpoint: `${origin}/as/register`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
    }
    this.challenge = isOld
      ? 'Bearer'
      : `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
    server.onHttp((exchange) => this.#serve(exchange))
  }

  /** The issuer of the authorization server. */
  get issuer(): string {
    return String(this.metadata?.['issuer'])
  }

  /** The HTTP requests of the client for metadata, in order: their paths. */
  get metadataPaths(): readonly string[] {
    return this.#server.exchanges
      .map(({ path }) => path)
      .filter((path) => path.includes('/.well-known/') || path === this.resourcePath)
  }

  /** The client did something to authorize. */
  get isUsed(): boolean {
    const { exchanges } = this.#server
    const own = new URL(this.#server.url).pathname
    return exchanges.some(({ path }) => new URL(path, this.#server.publicOrigin).pathname !== own)
  }

  #serve(exchange: ExamHttp): boolean {
    const url = new URL(exchange.path, this.#server.publicOrigin)
    const { pathname } = url
    const located = pathname.includes('/.well-known/') ? this.locate?.(pathname) : undefined
    if (located !== undefined) return json(exchange, located ?? undefined)
    if (pathname === this.resourcePath || pathname.startsWith('/.well-known/oauth-protected-resource'))
      return json(exchange, this.resource)
    if (/oauth-authorization-server|openid-configuration/.test(pathname)) {
      const path = new URL(this.issuer).pathname.replace(/\/$/, '')
      const isMine = pathname.endsWith(path) || pathname.startsWith(path)
      return json(exchange, isMine ? this.metadata : undefined)
    }
    switch (pathname.replace(/^\/as2\//, '/as/')) {
      case '/as/register':
      case '/register':
        return this.#register(exchange)
      case '/as/authorize':
      case '/authorize':
        return this.#authorize(exchange, url.searchParams)
      case '/as/token':
      case '/token':
        return this.#token(exchange)
      default:
        return this.#guard(exchange)
    }
  }

  #guard(exchange: ExamHttp): boolean {
    const token = /^bearer (.+)$/i.exec(exchange.headers['authorization'] ?? '')?.[1]
    const isGood = !this.isRequired || (token !== undefined && this.tokens.has(token))
    const refusal = isGood ? this.refuse?.(exchange) : undefined
    if (refusal !== undefined) {
      exchange.respond(refusal.status, { 'www-authenticate': refusal.challenge })
      return true
    }
    if (isGood) return false
    const headers = this.challenge === undefined ? undefined : { 'www-authenticate': this.challenge }
    exchange.respond(401, headers)
    return true
  }

  #register(exchange: ExamHttp): boolean {
    const asked = (exchange.json ?? {}) as Members
    this.registrations.push(asked)
    const other = this.register?.(asked)
    if (other !== undefined) {
      const isJson = other.body.startsWith('{')
      exchange.respond(
        other.status,
        { 'content-type': isJson ? 'application/json' : 'text/html' },
        other.body,
      )
      return true
    }
    return json(exchange, { ...asked, client_id: `client-${this.registrations.length}` }, 201)
  }

  #authorize(exchange: ExamHttp, request: URLSearchParams): boolean {
    const code = randomUUID()
    const authorized: Authorized = { request, token: undefined, verified: undefined }
    this.authorizations.push(authorized)
    this.#codes.set(code, authorized)
    const target = new URL(request.get('redirect_uri') ?? 'http://127.0.0.1/')
    target.searchParams.set('code', code)
    const state = request.get('state')
    if (state !== null) target.searchParams.set('state', state)
    target.searchParams.set('iss', this.issuer)
    this.alterCallback?.(target, request)
    exchange.respond(302, { location: target.href })
    return true
  }

  #token(exchange: ExamHttp): boolean {
    const asked = new URLSearchParams(exchange.body.toString())
    this.tokenRequests.push(asked)
    const authorized = this.#codes.get(asked.get('code') ?? '')
    if (authorized !== undefined) {
      authorized.token = asked
      authorized.verified = verifies(authorized.request, asked)
    } else if (asked.get('grant_type') !== 'refresh_token')
      return json(exchange, { error: 'invalid_grant' }, 400)
    const token = `token-${randomUUID()}`
    this.tokens.add(token)
    const usual = { access_token: token, token_type: 'Bearer', expires_in: 3_600 }
    const reply = this.alterToken?.(usual, asked) ?? usual
    return json(exchange, reply, 'error' in reply ? 400 : 200)
  }
}

function verifies(request: URLSearchParams, token: URLSearchParams): boolean {
  const verifier = token.get('code_verifier') ?? ''
  const challenge = request.get('code_challenge')
  if (request.get('code_challenge_method') !== 'S256') return challenge === verifier
  return createHash('sha256').update(verifier).digest('base64url') === challenge
}

function json(exchange: ExamHttp, value: Members | undefined, status = 200): true {
  if (value === undefined) exchange.respond(404)
  else exchange.respond(status, { 'content-type': 'application/json' }, JSON.stringify(value))
  return true
}
