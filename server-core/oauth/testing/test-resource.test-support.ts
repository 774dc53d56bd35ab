import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Received, TestAuthority } from './test-authority.test-support.ts'

/** What a test changes of a resource server that is right otherwise. */
export type ResourceOptions = {
  /** Where it names its metadata: in the challenge, or only at a well-known place, or nowhere. */
  readonly metadataAt?: 'challenge' | 'path' | 'root' | 'nowhere'
  /** Members that replace or, being undefined, remove members of its metadata. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** The scope that its challenge names. */
  readonly challengeScope?: string
  /** Scopes that a request needs. */
  readonly needs?: (request: Received) => readonly string[]
  /** The whole `WWW-Authenticate` of a 401. */
  readonly challenge?: string
  /** Refuses a request that has a good token, with these headers; undefined lets it pass. */
  readonly alsoNeeds?: (request: Received) => Promise<Readonly<Record<string, string>> | undefined>
  /** Refuses every token. */
  readonly takesNothing?: boolean
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** A server on loopback at `/mcp` that takes tokens of the authorization servers it trusts, for itself alone. */
export class TestResource {
  readonly url: string
  readonly origin: string
  readonly requests: Received[] = []
  authorities: readonly TestAuthority[]
  options: ResourceOptions
  readonly #server: Server

  private constructor(server: Server, authorities: readonly TestAuthority[], options: ResourceOptions) {
    this.#server = server
    this.authorities = authorities
    this.options = options
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    this.url = `${this.origin}/mcp`
  }

  static async start(
    authorities: readonly TestAuthority[],
    options: ResourceOptions = {},
  ): Promise<TestResource> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const resource = new TestResource(server, authorities, options)
    server.on('request', (request, response) => void resource.#serve(request, response))
    return resource
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin)
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { method = '', headers } = request
    const received: Received = { method, path: url.pathname, query: url.searchParams, headers, body }
    this.requests.push(received)
    const { metadataAt = 'challenge' } = this.options
    const place =
      metadataAt === 'challenge' ? '/about-me' : metadataAt === 'path' ? `${WELL_KNOWN}/mcp` : WELL_KNOWN
    if (metadataAt !== 'nowhere' && url.pathname === place) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(this.#metadata()))
      return
    }
    if (url.pathname !== '/mcp') {
      response.writeHead(404).end()
      return
    }
    const refusal = this.#refusal(received)
    const also = refusal === undefined ? await this.options.alsoNeeds?.(received) : undefined
    if (also !== undefined) response.writeHead(401, also).end()
    else if (refusal === undefined) response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    else response.writeHead(refusal.status, { 'www-authenticate': refusal.challenge }).end()
  }

  #metadata(): Readonly<Record<string, unknown>> {
    return {
      resource: this.url,
      authorization_servers: this.authorities.map(({ issuer }) => issuer),
      bearer_methods_supported: ['header'],
      ...this.options.metadata,
    }
  }

  #refusal(received: Received): { readonly status: 401 | 403; readonly challenge: string } | undefined {
    const { metadataAt = 'challenge', challengeScope, needs, challenge, takesNothing } = this.options
    const token = /^(?:Bearer|DPoP) (.+)$/.exec(received.headers.authorization ?? '')?.[1]
    const grant = this.authorities
      .map(({ tokens }) => tokens.get(token ?? ''))
      .find((each) => each !== undefined)
    const named = metadataAt === 'challenge' ? [`resource_metadata="${this.origin}/about-me"`] : []
    const scope = challengeScope === undefined ? [] : [`scope="${challengeScope}"`]
    const isFor = grant !== undefined && (grant.resource === this.url || grant.resource === '')
    if (!isFor || takesNothing === true) {
      const error = token === undefined ? [] : ['error="invalid_token"']
      return { status: 401, challenge: challenge ?? `Bearer ${[...error, ...scope, ...named].join(', ')}` }
    }
    const needed = needs?.(received) ?? []
    const granted = grant.scope.split(' ')
    if (needed.every((each) => granted.includes(each))) return undefined
    const parameters = ['error="insufficient_scope"', `scope="${needed.join(' ')}"`, ...named]
    return { status: 403, challenge: `Bearer ${parameters.join(', ')}` }
  }
}
