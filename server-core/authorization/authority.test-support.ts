import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTHeaderParameters } from 'jose'

export type Claims = Readonly<Record<string, unknown>>

/** What a test may change of a token that is good otherwise; a claim of undefined is left out. */
export type TokenChange = {
  readonly claims?: Claims
  readonly header?: { readonly [Name in keyof JWTHeaderParameters]?: unknown }
  /** Signs with that key in place of the server's newest. */
  readonly key?: CryptoKey | Uint8Array
}

type SigningKey = { readonly kid: string; readonly privateKey: CryptoKey; readonly jwk: JWK }
type Answer = (request: IncomingMessage, url: URL, body: string) => Promise<unknown>

/**
 * An authorization server on loopback that issues real signed tokens: metadata, keys that can be rotated, dynamic
 * registration, authorization codes with PKCE for a user who always agrees, and introspection.
 */
export class Authority {
  readonly issuer: string
  /** What was asked, as `METHOD path`. */
  readonly requests: string[] = []
  /** What introspection says of a token; inactive if not listed. */
  readonly known = new Map<string, Claims>()
  /** Scopes that a user grants whatever is asked. */
  grants: readonly string[] | undefined
  /** Answers everything with that status, while it is set. */
  failsWith: number | undefined
  /** Members that replace or, being undefined, remove members of the metadata. */
  metadata: Claims = {}
  readonly #server
  readonly #keys: SigningKey[] = []
  readonly #codes = new Map<
    string,
    { readonly challenge: string; readonly scope: string; readonly resource: string }
  >()

  private constructor(server: ReturnType<typeof createServer>, port: number) {
    this.#server = server
    this.issuer = `http://127.0.0.1:${port}`
  }

  static async start(): Promise<Authority> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const authority = new Authority(server, (server.address() as AddressInfo).port)
    server.on('request', (request, response) => void authority.#serve(request, response))
    await authority.rotate()
    return authority
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Signs with a new key from now on; `withdraw` takes the old ones out of the published set. */
  async rotate(withdraw = false): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const kid = randomUUID()
    if (withdraw) this.#keys.splice(0)
    this.#keys.unshift({
      kid,
      privateKey,
      jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' },
    })
  }

  /** A token for that audience, valid for an hour unless changed. */
  async token(audience: string, { claims = {}, header = {}, key }: TokenChange = {}): Promise<string> {
    const [newest] = this.#keys
    if (newest === undefined) throw new Error('no key')
    const now = Math.floor(Date.now() / 1_000)
    const all: Claims = {
      iss: this.issuer,
      aud: audience,
      sub: 'alice',
      client_id: 'app',
      exp: now + 3_600,
      iat: now,
      ...claims,
    }
    return new SignJWT(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)))
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: newest.kid, ...header } as JWTHeaderParameters)
      .sign(key ?? newest.privateKey)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer)
    this.requests.push(`${request.method ?? ''} ${url.pathname}`)
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const answers: Record<string, Answer> = {
      '/.well-known/oauth-authorization-server': () => Promise.resolve(this.#metadata()),
      '/jwks': () => Promise.resolve({ keys: this.#keys.map(({ jwk }) => jwk) }),
      '/register': () => Promise.resolve({ ...(JSON.parse(body) as object), client_id: 'registered' }),
      '/token': () => this.#exchange(new URLSearchParams(body)),
      '/introspect': () => Promise.resolve(this.#introspect(request, new URLSearchParams(body))),
    }
    if (this.failsWith !== undefined) response.writeHead(this.failsWith).end()
    else if (url.pathname === '/authorize') response.writeHead(302, { location: this.#authorize(url) }).end()
    else {
      const answer = await answers[url.pathname]?.(request, url, body)
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer ?? {}))
    }
  }

  #metadata(): Claims {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      registration_endpoint: `${this.issuer}/register`,
      introspection_endpoint: `${this.issuer}/introspect`,
      jwks_uri: `${this.issuer}/jwks`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      ...this.metadata,
    }
  }

  #authorize(url: URL): string {
    const query = (name: string) => url.searchParams.get(name) ?? ''
    const code = randomUUID()
    const scope = this.grants?.join(' ') ?? query('scope')
    this.#codes.set(code, { challenge: query('code_challenge'), scope, resource: query('resource') })
    const back = new URL(query('redirect_uri'))
    back.searchParams.set('code', code)
    back.searchParams.set('state', query('state'))
    back.searchParams.set('iss', this.issuer)
    return back.href
  }

  async #exchange(form: URLSearchParams): Promise<unknown> {
    const granted = this.#codes.get(form.get('code') ?? '')
    const verifier = form.get('code_verifier') ?? ''
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    if (granted?.challenge !== challenge || form.get('resource') !== granted.resource)
      return { error: 'invalid_grant' }
    const token = await this.token(granted.resource, {
      claims: { scope: granted.scope, client_id: 'registered' },
    })
    return { access_token: token, token_type: 'Bearer', expires_in: 3_600, scope: granted.scope }
  }

  #introspect({ headers }: IncomingMessage, form: URLSearchParams): unknown {
    const credentials = `Basic ${Buffer.from('rs%3A1:s%26cret').toString('base64')}`
    if (headers.authorization !== credentials) return undefined
    const claims = this.known.get(form.get('token') ?? '')
    return claims === undefined ? { active: false } : { active: true, ...claims }
  }
}
