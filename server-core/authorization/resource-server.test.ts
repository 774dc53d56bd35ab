import { generateKeyPair } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import type { Admitted, Refused } from '../ports/authorization-port.ts'
import { Authority, type TokenChange } from './authority.test-support.ts'
import type { AuthorityError } from './authority-fetch.ts'
import type { ResourceServerOptions } from './options.ts'
import { createResourceServer } from './resource-server.ts'

const RESOURCE = 'https://mcp.example/api/mcp'
const METADATA = 'https://mcp.example/.well-known/oauth-protected-resource/api/mcp'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function setup(options: Partial<ResourceServerOptions> = {}) {
  const authority = await Authority.start()
  closing.push(() => authority.close())
  const reports: AuthorityError[] = []
  const server = createResourceServer(
    { resource: RESOURCE, authorizationServers: [{ issuer: authority.issuer }], ...options },
    (error) => reports.push(error),
  )
  return {
    authority,
    server,
    reports,
    admit: async (token: string) => server.admit(`Bearer ${token}`, '/mcp'),
    admitted: async (change: TokenChange = {}) =>
      asAdmitted(await server.admit(`Bearer ${await authority.token(RESOURCE, change)}`, '/mcp')),
  }
}

function asAdmitted(outcome: Admitted | Refused): Admitted {
  if ('status' in outcome) throw new Error(`refused: ${outcome.reason}`)
  return outcome
}

const introspecting = (issuer: string, cacheMs = 10_000) => ({
  authorizationServers: [{ issuer, introspection: { clientId: 'rs:1', clientSecret: 's&cret', cacheMs } }],
})

describe('a resource server', () => {
  it('says where to get a token, and names no error while none came', async () => {
    const { server } = await setup({ requiredScopes: { server: ['mcp', 'more'] } })
    for (const authorization of [undefined, 'Basic YTpi', 'DPoP abc']) {
      expect(await server.admit(authorization, '/mcp')).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': `Bearer scope="mcp more", resource_metadata="${METADATA}"` },
      })
    }
  })

  it('describes itself where clients look, and nowhere else', async () => {
    const { server, authority } = await setup({
      resource: [RESOURCE, 'https://mcp.example/api/sse'],
      requiredScopes: { server: ['mcp'], tools: { deploy: ['deploy', 'offline_access'] } },
      name: 'Example',
    })
    const document = {
      resource: RESOURCE,
      authorization_servers: [authority.issuer],
      scopes_supported: ['mcp', 'deploy'],
      bearer_methods_supported: ['header'],
      resource_name: 'Example',
    }
    const at = (path: string) => JSON.parse(server.document?.(path) ?? 'null') as unknown
    expect(at('/.well-known/oauth-protected-resource')).toEqual(document)
    expect(at('/.well-known/oauth-protected-resource/api/mcp')).toEqual(document)
    expect(at('/.well-known/oauth-protected-resource/api/sse')).toMatchObject({
      resource: 'https://mcp.example/api/sse',
    })
    expect(at('/.well-known/oauth-protected-resource/')).toBeNull()
    expect(await server.admit(undefined, '/sse')).toMatchObject({
      headers: { 'www-authenticate': expect.stringContaining('/api/sse"') },
    })
  })

  it('takes a token of its authorization server, and says whose it is and how long it holds', async () => {
    const { admitted, authority } = await setup()
    const exp = Math.floor(Date.now() / 1_000) + 100
    const caller = await admitted({ claims: { scope: 'a b', exp, tenant: 7 } })
    expect(caller).toMatchObject({
      expiresAt: (exp + 10) * 1_000,
      principal: {
        issuer: authority.issuer,
        subject: 'alice',
        clientId: 'app',
        scopes: ['a', 'b'],
        claims: { tenant: 7 },
      },
    })
    expect(authority.requests).toEqual(['GET /.well-known/oauth-authorization-server', 'GET /jwks'])
  })

  it('takes every form that access tokens have', async () => {
    const { admitted } = await setup()
    const now = Math.floor(Date.now() / 1_000)
    const changes: TokenChange[] = [
      { header: { typ: 'JWT' } },
      { header: { typ: 'application/at+jwt' } },
      { header: { typ: undefined } },
      { header: { kid: undefined } },
      { claims: { aud: ['https://other.example', `${RESOURCE}/`] } },
      { claims: { exp: now - 5 } },
      { claims: { nbf: now + 5 } },
    ]
    for (const change of changes) await expect(admitted(change)).resolves.toBeDefined()
    expect(
      (await admitted({ claims: { scp: ['x', 'y'], client_id: undefined, cid: 'okta' } })).principal,
    ).toMatchObject({ scopes: ['x', 'y'], clientId: 'okta' })
  })

  it('refuses every other token, and says why', async () => {
    const { authority, admit } = await setup()
    const { privateKey: foreign } = await generateKeyPair('ES256')
    const { privateKey: rsa } = await generateKeyPair('RS256')
    const now = Math.floor(Date.now() / 1_000)
    const good = await authority.token(RESOURCE)
    const [head = '', payload = '', signature = ''] = good.split('.')
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const changed = (change: TokenChange) => authority.token(RESOURCE, change)
    const tokens: [string, string, RegExp][] = [
      ['another audience', await authority.token('https://other.example/mcp'), /another server/],
      ['the origin alone', await authority.token('https://mcp.example'), /another server/],
      ['no audience', await changed({ claims: { aud: undefined } }), /another server/],
      ['another issuer', await changed({ claims: { iss: 'https://evil.example' } }), /authorization server/],
      [
        'an issuer that is nearly ours',
        await changed({ claims: { iss: `${authority.issuer}/` } }),
        /authorization/,
      ],
      ['no issuer', await changed({ claims: { iss: undefined } }), /authorization server/],
      ['expired', await changed({ claims: { exp: now - 60 } }), /expired/],
      ['no expiry', await changed({ claims: { exp: undefined } }), /expires/],
      ['not yet', await changed({ claims: { nbf: now + 60 } }), /not valid yet/],
      ['another key', await changed({ key: foreign }), /not valid/],
      ['an unknown key id', await changed({ header: { kid: 'nobody' } }), /not valid/],
      ['another algorithm', await changed({ key: rsa, header: { alg: 'RS256' } }), /not valid/],
      ['a shared secret', await changed({ key: Buffer.alloc(32), header: { alg: 'HS256' } }), /not accepted/],
      ['no signature', `${encode({ alg: 'none' })}.${payload}.`, /malformed|not/],
      ['alg none with a signature', `${encode({ alg: 'none' })}.${payload}.${signature}`, /not/],
      [
        'a changed payload',
        `${head}.${encode({ iss: authority.issuer, aud: RESOURCE, exp: now + 99 })}.${signature}`,
        /not valid/,
      ],
      ['an ID-JAG', await changed({ header: { typ: 'oauth-id-jag+jwt' } }), /another type/],
      ['a DPoP token', await changed({ claims: { cnf: { jkt: 'x' } } }), /bound to a key/],
      ['no JWT', 'opaque', /authorization server/],
      ['no JSON', 'a.b.c', /authorization server/],
    ]
    for (const [what, token, reason] of tokens) {
      const outcome = await admit(token)
      expect([what, outcome]).toMatchObject([what, { status: 401 }])
      const challenge = 'headers' in outcome ? outcome.headers['www-authenticate'] : undefined
      expect([what, challenge]).toEqual([
        what,
        expect.stringMatching(
          /^Bearer error="invalid_token", error_description="[^"]+", resource_metadata="[^"]+"$/,
        ),
      ])
      expect([what, challenge]).toEqual([what, expect.stringMatching(reason)])
    }
    expect(await admit(`${good} more`)).toMatchObject({ status: 401 })
    expect(asAdmitted(await admit(good)).caller).toContain('alice')
  })

  it('takes the tokens of a new key, and no more those of a withdrawn one', async () => {
    const { authority, admit } = await setup({ keyCooldownMs: 0 })
    const before = await authority.token(RESOURCE)
    asAdmitted(await admit(before))
    await authority.rotate(true)
    asAdmitted(await admit(await authority.token(RESOURCE)))
    const fresh = createResourceServer({
      resource: RESOURCE,
      authorizationServers: [{ issuer: authority.issuer, jwksUri: `${authority.issuer}/jwks` }],
    })
    expect(await fresh.admit(`Bearer ${before}`, '/mcp')).toMatchObject({ status: 401 })
  })

  it('checks a token once, however many requests bring it', async () => {
    const { authority, server } = await setup()
    const token = await authority.token(RESOURCE)
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, async () => server.admit(`Bearer ${token}`, '/mcp')),
    )
    expect(new Set(outcomes.map((outcome) => asAdmitted(outcome).caller)).size).toBe(1)
    expect(server.admit(`Bearer ${token}`, '/mcp')).not.toBeInstanceOf(Promise)
    expect(authority.requests.length).toBe(2)
  })

  it('tells callers apart by issuer, user and client, and takes a token without either as one of its own', async () => {
    const { admitted } = await setup()
    const callers = await Promise.all(
      [
        {},
        { claims: { sub: 'bob' } },
        { claims: { client_id: 'other' } },
        { claims: { sub: undefined, client_id: undefined, jti: '1' } },
        { claims: { sub: undefined, client_id: undefined, jti: '2' } },
        { claims: { sub: undefined } },
      ].map(async (change) => (await admitted(change)).caller),
    )
    expect(new Set(callers).size).toBe(6)
    expect((await admitted({ claims: { jti: 'renewed', scope: 'more' } })).caller).toBe(callers[0])
  })

  it('asks for all scopes at once that a request needs', async () => {
    const { admitted, server } = await setup({
      requiredScopes: {
        server: ['mcp'],
        methods: { 'tools/call': ['call'] },
        tools: { deploy: ['deploy'], __proto__: [] },
        prompts: { secret: ['secret'] },
      },
      impliedScopes: { admin: ['deploy', 'call'], root: ['admin', 'mcp'] },
    })
    const withScopes = (scope: string) => admitted({ claims: { scope } })
    await expect(withScopes('')).rejects.toThrow('needs the scopes mcp')
    const call = (name: string) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } })
    const refused = (caller: Admitted, message: unknown) => server.refuseMessage?.(caller, message, '/mcp')

    const plain = await withScopes('mcp call')
    expect(refused(plain, call('echo'))).toBeUndefined()
    expect(refused(plain, { method: 'tools/list' })).toBeUndefined()
    const challenge =
      'Bearer error="insufficient_scope", error_description="This needs the scopes mcp call deploy", scope="mcp call deploy"'
    expect(refused(plain, call('deploy'))).toMatchObject({
      status: 403,
      headers: { 'www-authenticate': `${challenge}, resource_metadata="${METADATA}"` },
    })
    expect(refused(plain, { method: 'prompts/get', params: { name: 'secret' } })).toMatchObject({
      status: 403,
    })
    expect(refused(plain, [call('echo'), call('deploy')])).toMatchObject({ status: 403 })
    expect(refused(await withScopes('mcp'), call('constructor'))).toMatchObject({ status: 403 })
    expect(refused(await withScopes('mcp admin'), call('deploy'))).toBeUndefined()
    expect(refused(await withScopes('root'), call('deploy'))).toBeUndefined()
  })

  it('refuses with 503, not 401, while the authorization server fails, and takes tokens once it does not', async () => {
    const { authority, admit, reports } = await setup()
    const token = await authority.token(RESOURCE)
    authority.failsWith = 500
    expect(await admit(token)).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    expect(reports[0]?.message).toContain('500')
    const asked = authority.requests.length
    expect(await admit(token)).toMatchObject({ status: 503 })
    expect(authority.requests.length).toBe(asked)
    authority.failsWith = undefined
    await expect.poll(async () => 'caller' in (await admit(token))).toBe(true)
  })

  it('does not take metadata of another issuer, nor go where only metadata leads inside', async () => {
    const { authority, admit, reports } = await setup()
    authority.metadata = { issuer: 'https://evil.example' }
    const token = await authority.token(RESOURCE)
    expect(await admit(token)).toMatchObject({ status: 503 })
    expect(reports.at(-1)?.message).toContain('another issuer')
    for (const jwks of [
      'http://169.254.169.254/keys',
      'https://169.254.169.254/keys',
      'https://[::ffff:a9fe:a9fe]/keys',
      'https://10.0.0.1/keys',
      'https://0xa.1/keys',
      'https://127.0.0.2/keys',
      'https://localhost/keys',
      'file:///etc/passwd',
      'http://example.com/keys',
    ]) {
      const other = await setup()
      other.authority.metadata = { jwks_uri: jwks }
      const outcome = await other.admit(await other.authority.token(RESOURCE))
      expect([jwks, outcome]).toMatchObject([jwks, { status: 503 }])
      expect([jwks, other.reports.at(-1)?.code]).toEqual([jwks, 'address'])
    }
  })

  it('asks about opaque tokens, with its own credentials, and keeps the answer for a moment', async () => {
    const authority = await Authority.start()
    closing.push(() => authority.close())
    const { admit } = await setup(introspecting(authority.issuer))
    const exp = Math.floor(Date.now() / 1_000) + 60
    authority.known.set('good', { sub: 'carol', client_id: 'cli', aud: RESOURCE, scope: 'mcp', exp })
    authority.known.set('other', { aud: 'https://other.example', exp })
    authority.known.set('nobody', { exp })
    authority.known.set('old', { aud: RESOURCE, exp: exp - 120 })
    authority.known.set('early', { aud: RESOURCE, exp, nbf: exp })
    authority.known.set('foreign', { aud: RESOURCE, exp, iss: 'https://evil.example' })
    authority.known.set('bound', { aud: RESOURCE, exp, cnf: { jkt: 'x' } })
    expect(asAdmitted(await admit('good'))).toMatchObject({
      principal: { subject: 'carol', clientId: 'cli', scopes: ['mcp'] },
      expiresAt: (exp + 10) * 1_000,
    })
    for (const token of ['other', 'nobody', 'old', 'early', 'foreign', 'bound', 'unknown']) {
      expect([token, await admit(token)]).toMatchObject([token, { status: 401 }])
    }
    const asked = authority.requests.length
    asAdmitted(await admit('good'))
    expect(authority.requests.length).toBe(asked)
  })

  it('believes a revocation at once if it keeps no answers', async () => {
    const authority = await Authority.start()
    closing.push(() => authority.close())
    const { admit } = await setup(introspecting(authority.issuer, 0))
    authority.known.set('good', { sub: 'carol', aud: RESOURCE })
    asAdmitted(await admit('good'))
    authority.known.delete('good')
    expect(await admit('good')).toMatchObject({ status: 401 })
    authority.failsWith = 503
    expect(await admit('good')).toMatchObject({ status: 503 })
  })

  it('refuses options that cannot work', () => {
    const good = { resource: RESOURCE, authorizationServers: [{ issuer: 'https://as.example' }] }
    const bad: [Partial<ResourceServerOptions>, string][] = [
      [{ resource: 'http://mcp.example/mcp' }, 'https'],
      [{ resource: 'mcp' }, 'URL'],
      [{ resource: [] }, 'resource'],
      [{ resource: 'https://a:b@mcp.example' }, 'no user'],
      [{ authorizationServers: [] }, 'one server'],
      [{ authorizationServers: [{ issuer: 'http://as.example' }] }, 'https'],
      [{ authorizationServers: [{ issuer: 'https://as.example', algorithms: ['HS256'] }] }, 'HS256'],
      [{ authorizationServers: [{ issuer: 'https://as.example', algorithms: ['none'] }] }, 'none'],
    ]
    for (const [change, reason] of bad)
      expect(() => createResourceServer({ ...good, ...change })).toThrow(reason)
    expect(() => createResourceServer(good)).not.toThrow()
  })
})
