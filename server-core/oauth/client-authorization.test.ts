import { afterEach, describe, expect, it } from 'vitest'
import type { ClientAuthorizationOptions } from './client-authorization.ts'
import { OAuthError } from './oauth-error.ts'
import { TestAuthority, type AuthorityOptions } from './testing/test-authority.test-support.ts'
import { TestResource, type ResourceOptions } from './testing/test-resource.test-support.ts'
import { send, visitor, type Visitor } from './testing/visitor.test-support.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

type Setting = {
  readonly authority?: AuthorityOptions
  readonly resource?: ResourceOptions
  readonly client?: Partial<ClientAuthorizationOptions>
}
type Scene = Visitor & { readonly authority: TestAuthority; readonly resource: TestResource }

async function scene({ authority: asked = {}, resource: served = {}, client }: Setting = {}): Promise<Scene> {
  const authority = await authorityOf(asked)
  const resource = await TestResource.start([authority], served)
  closing.push(() => resource.close())
  return { ...visiting(resource, client), authority, resource }
}

async function authorityOf(options: AuthorityOptions = {}): Promise<TestAuthority> {
  const authority = await TestAuthority.start(options)
  closing.push(() => authority.close())
  return authority
}

function visiting(resource: TestResource, options: Partial<ClientAuthorizationOptions> = {}): Visitor {
  const made = visitor(resource.url, options)
  closing.push(() => made.authorization.close())
  return made
}

const failureOf = async (work: Promise<unknown>): Promise<OAuthError> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof OAuthError) return error
  throw new Error(`expected an OAuthError, got ${String(error)}`)
}
const form = ({ body }: { body: string }) => Object.fromEntries(new URLSearchParams(body))

describe('an authorization', () => {
  it('gets a token, stores it, and reports each step without a secret', async () => {
    const { authorization, authority, resource, steps, store, opened } = await scene({
      resource: { challengeScope: 'read' },
    })
    expect(await send(authorization, resource.url)).toBe(200)
    expect(steps().map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'challenge done',
      'resource-metadata done',
      'authorization-server done',
      'server-metadata done',
      'registration done',
      'scopes done',
      'authorization-request done',
      'callback done',
      'callback done',
      'token done',
      'credentials done',
    ])
    const [asked] = authority.at('/authorize')
    expect(Object.fromEntries(asked?.query ?? [])).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'read',
      resource: resource.url,
    })
    const [exchanged] = authority.at('/token').map(form)
    expect(exchanged).toMatchObject({ grant_type: 'authorization_code', resource: resource.url })
    expect(authority.at('/register').map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
      { application_type: 'native', grant_types: ['authorization_code', 'refresh_token'] },
    ])
    const told = JSON.stringify(steps())
    const secrets = [
      ...authority.tokens.keys(),
      ...authority.refreshTokens.keys(),
      exchanged?.['code'],
      exchanged?.['code_verifier'],
    ]
    for (const secret of secrets) expect(told).not.toContain(secret)
    expect(told).toContain('code_verifier=⟨code_verifier⟩')
    expect(authorization.facts()).toMatchObject({
      status: 'authorized',
      issuer: authority.issuer,
      resource: resource.url,
      clientKind: 'dynamic',
      scopes: ['read'],
      refreshable: true,
    })

    // Another run of the program has the token, and asks nobody.
    const before = authority.requests.length
    const again = visiting(resource, { store })
    expect(await send(again.authorization, resource.url)).toBe(200)
    expect(authority.requests).toHaveLength(before)
    expect(opened).toHaveLength(1)
    // Another owner has not.
    const other = visiting(resource, { store, owner: 'other', mayAskUser: () => false })
    expect((await failureOf(send(other.authorization, resource.url))).code).toBe('user-needed')
    expect(other.authorization.facts().status).toBe('needed')
    expect(other.opened).toEqual([])
    expect(authority.at('/register')).toHaveLength(1)
  })

  it('is one for all requests that wait for it', async () => {
    const { authorization, authority, resource, opened } = await scene()
    const statuses = await Promise.all(Array.from({ length: 20 }, () => send(authorization, resource.url)))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(opened).toHaveLength(1)
    expect(authority.at('/token')).toHaveLength(1)
  })

  it('sends its token to that server alone', async () => {
    const { authorization, resource } = await scene()
    await send(authorization, resource.url)
    expect(await authorization.headers({ method: 'GET', url: `${resource.origin}/messages` })).toHaveProperty(
      'authorization',
    )
    const foreign = await TestResource.start([])
    closing.push(() => foreign.close())
    for (const url of [foreign.url, resource.url.replace('http:', 'https:'), 'http://127.0.0.1/mcp']) {
      expect(await authorization.headers({ method: 'POST', url })).toEqual({})
    }
    const headers = { 'www-authenticate': 'Bearer' }
    expect(await authorization.challenged({ method: 'POST', url: foreign.url, status: 401, headers })).toBe(
      false,
    )
  })

  it('stops when the server refuses what was issued for it just now', async () => {
    const { authorization, resource, opened } = await scene({ resource: { takesNothing: true } })
    const error = await failureOf(send(authorization, resource.url))
    expect(error.code).toBe('refused')
    expect(error.message).toContain('just now')
    expect(opened).toHaveLength(1)
  })

  it('leaves a plain 403 to the server', async () => {
    const { authorization, resource, opened } = await scene()
    const headers = { 'www-authenticate': 'Bearer' }
    expect(await authorization.challenged({ method: 'POST', url: resource.url, status: 403, headers })).toBe(
      false,
    )
    expect(opened).toEqual([])
  })
})

describe('renewal', () => {
  it('happens once for many requests, with the newest refresh token', async () => {
    const { authorization, authority, resource, opened } = await scene()
    await send(authorization, resource.url)
    for (let round = 1; round <= 2; round += 1) {
      authority.expireTokens()
      const statuses = await Promise.all(Array.from({ length: 20 }, () => send(authorization, resource.url)))
      expect(new Set(statuses)).toEqual(new Set([200]))
      expect(authority.at('/token')).toHaveLength(1 + round)
    }
    const refreshed = authority.at('/token').slice(1).map(form)
    expect(refreshed.map(({ grant_type }) => grant_type)).toEqual(['refresh_token', 'refresh_token'])
    expect(refreshed[0]?.['refresh_token']).not.toBe(refreshed[1]?.['refresh_token'])
    expect(refreshed[0]?.['resource']).toBe(resource.url)
    expect(opened).toHaveLength(1)
  })

  it('keeps a refresh token that is not replaced, and happens before the end of the token', async () => {
    const { authorization, authority, resource } = await scene({
      authority: { refresh: 'keep', expiresIn: 0 },
    })
    for (const renewals of [1, 2, 3]) {
      expect(await send(authorization, resource.url)).toBe(200)
      expect(authority.at('/token')).toHaveLength(1 + renewals)
    }
    expect(authority.refreshTokens.size).toBe(1)
    // Each request was sent once, the first again after its refusal.
    expect(resource.requests.filter(({ path }) => path === '/mcp')).toHaveLength(4)
  })

  it('asks the user when the refresh token is not taken, if that is wanted', async () => {
    let mayAsk = true
    const { authorization, authority, resource, steps, opened } = await scene({
      client: { mayAskUser: () => mayAsk },
    })
    await send(authorization, resource.url)
    mayAsk = false
    authority.expireTokens()
    authority.refreshTokens.clear()
    expect((await failureOf(send(authorization, resource.url))).code).toBe('user-needed')
    expect(steps().filter(({ kind }) => kind === 'refresh')).toMatchObject([
      {
        state: 'failed',
        decision: 'The token endpoint refused: invalid_grant (the refresh token is not good).',
      },
    ])
    expect(authorization.facts()).toMatchObject({ status: 'needed' })
    await authorization.authorize()
    expect(await send(authorization, resource.url)).toBe(200)
    expect(opened).toHaveLength(2)
    // It was registered once.
    expect(authority.at('/register')).toHaveLength(1)
  })

  it('keeps the refresh token while the authorization server fails', async () => {
    const { authorization, authority, resource, opened } = await scene()
    await send(authorization, resource.url)
    authority.expireTokens()
    authority.options = { token: () => Promise.resolve({ status: 503, body: {} }) }
    expect((await failureOf(send(authorization, resource.url))).code).toBe('token')
    authority.options = {}
    expect(await send(authorization, resource.url)).toBe(200)
    expect(opened).toHaveLength(1)
  })

  it('registers again where the client is not known any more', async () => {
    const { authorization, authority, resource, opened } = await scene()
    await send(authorization, resource.url)
    authority.expireTokens()
    authority.forgetClients()
    expect(await send(authorization, resource.url)).toBe(200)
    expect(authority.at('/register')).toHaveLength(2)
    expect(opened).toHaveLength(2)
  })

  it('takes the token that another process got meanwhile', async () => {
    const { authorization, authority, resource, store, steps } = await scene()
    await send(authorization, resource.url)
    const other = visiting(resource, { store })
    await other.authorization.load()
    authority.expireTokens()
    await send(other.authorization, resource.url)
    expect(await send(authorization, resource.url)).toBe(200)
    expect(authority.at('/token')).toHaveLength(2)
    expect(steps().at(-1)).toMatchObject({ kind: 'credentials', decision: 'A newer token is there already.' })
  })
})

describe('a step up', () => {
  const needs = ({ body }: { body: string }) => (body === '{}' ? ['read'] : ['write'])

  it('asks for what was granted and what is missing', async () => {
    const { authorization, authority, resource } = await scene({
      resource: { challengeScope: 'read', needs },
    })
    expect(await send(authorization, resource.url)).toBe(200)
    expect(await send(authorization, resource.url, 'write')).toBe(200)
    expect(authority.at('/authorize').map(({ query }) => query.get('scope'))).toEqual(['read', 'read write'])
    expect(authorization.facts().scopes).toEqual(['read', 'write'])
    expect(authority.at('/register')).toHaveLength(1)
  })

  it('is tried twice and not for ever, and says why', async () => {
    const { authorization, resource, opened } = await scene({
      authority: { grants: ['read'] },
      resource: { challengeScope: 'read', needs },
    })
    await send(authorization, resource.url)
    const error = await failureOf(send(authorization, resource.url, 'write'))
    expect(error).toMatchObject({
      code: 'scope',
      message: expect.stringContaining('write was asked for 2 times') as string,
    })
    expect(opened).toHaveLength(3)
    await failureOf(send(authorization, resource.url, 'write'))
    expect(opened).toHaveLength(3)
    // What needs no more goes on.
    expect(await send(authorization, resource.url)).toBe(200)
  })

  it('says what is missing and what to do where the user is not there', async () => {
    let mayAsk = true
    const { authorization, resource } = await scene({
      resource: { challengeScope: 'read', needs },
      client: { mayAskUser: () => mayAsk },
    })
    await send(authorization, resource.url)
    mayAsk = false
    const error = await failureOf(send(authorization, resource.url, 'write'))
    expect(error).toMatchObject({ code: 'user-needed' })
    expect(error.message).toMatch(/more than was granted: write\. Authorize the server again/)
  })

  it('is not tried for scopes that the token has', async () => {
    const { authorization, resource, opened } = await scene({ resource: { challengeScope: 'read' } })
    await send(authorization, resource.url)
    const headers = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="read"' }
    const refusal = { method: 'POST', url: resource.url, status: 403, headers }
    expect((await failureOf(authorization.challenged(refusal))).code).toBe('scope')
    expect(opened).toHaveLength(1)
  })
})

describe('another authorization server', () => {
  it('gets a registration of its own, and nothing of the first', async () => {
    const { authorization, authority, resource } = await scene()
    await send(authorization, resource.url)
    const next = await authorityOf()
    resource.authorities = [next]
    expect(await send(authorization, resource.url)).toBe(200)
    expect(next.at('/register')).toHaveLength(1)
    const [first] = authority.at('/authorize')
    const clientId = first?.query.get('client_id') ?? 'none'
    expect(JSON.stringify(next.requests.map(({ query, ...rest }) => [...query, rest]))).not.toContain(
      clientId,
    )
    // The refresh token of the first was not shown to anybody either.
    expect(authority.at('/token')).toHaveLength(1)
    expect(authorization.facts().issuer).toBe(next.issuer)
    // And back: the registration there is still valid, its tokens were dropped.
    resource.authorities = [authority]
    expect(await send(authorization, resource.url)).toBe(200)
    expect(authority.at('/register')).toHaveLength(1)
  })

  it('is not shown the secret of a client that was registered at the first by hand', async () => {
    const clients = { hand: 'a-secret-by-hand' }
    const settings = { clientId: 'hand', clientSecret: clients.hand }
    const { authorization, resource } = await scene({ authority: { clients }, client: { settings } })
    await send(authorization, resource.url)
    const next = await authorityOf({ clients })
    resource.authorities = [next]
    expect(await failureOf(send(authorization, resource.url))).toMatchObject({ code: 'issuer-mismatch' })
    expect(next.requests.every(({ path }) => path.startsWith('/.well-known/'))).toBe(true)
    // Unless the user says that it was registered there too.
    const told = visiting(resource, { settings: { ...settings, issuer: next.issuer } })
    expect(await send(told.authorization, resource.url)).toBe(200)
  })

  it('is asked when the first of several has no metadata; the settings may choose one', async () => {
    const silent = await authorityOf({ metadataAt: [] })
    const { resource, authority } = await scene()
    resource.authorities = [silent, authority]
    const made = visiting(resource)
    expect(await send(made.authorization, resource.url)).toBe(200)
    expect(made.authorization.facts().issuer).toBe(authority.issuer)
    const chosen = visiting(resource, { settings: { issuer: silent.issuer } })
    expect((await failureOf(send(chosen.authorization, resource.url))).code).toBe('discovery')
    const unknown = visiting(resource, { settings: { issuer: 'https://else.example' } })
    expect((await failureOf(send(unknown.authorization, resource.url))).message).toContain(
      'https://else.example',
    )
  })
})

describe('forgetting', () => {
  it('gives the tokens back and leaves nothing', async () => {
    const { authorization, authority, resource, store, opened } = await scene()
    await send(authorization, resource.url)
    await authorization.forget()
    expect(authority.tokens.size + authority.refreshTokens.size).toBe(0)
    expect(
      authority
        .at('/revoke')
        .map(form)
        .map(({ token_type_hint }) => token_type_hint),
    ).toEqual(['refresh_token', 'access_token'])
    expect(authorization.facts()).toMatchObject({ status: 'none' })
    const again = visiting(resource, { store, mayAskUser: () => false })
    expect((await failureOf(send(again.authorization, resource.url))).code).toBe('user-needed')
    expect(opened).toHaveLength(1)
  })

  it('finds the authorization server again after a restart, and forgets all the same if it is missing', async () => {
    const { authorization, authority, resource, store } = await scene()
    await send(authorization, resource.url)
    const next = visiting(resource, { store })
    await next.authorization.forget()
    expect(authority.tokens.size).toBe(0)
    const other = visiting(resource)
    await send(other.authorization, resource.url)
    const last = visiting(resource, { store: other.store })
    await authority.close()
    await last.authorization.forget()
    expect(last.steps()).toContainEqual(expect.objectContaining({ kind: 'revocation', state: 'failed' }))
    expect(last.authorization.facts().status).toBe('none')
  })
})
