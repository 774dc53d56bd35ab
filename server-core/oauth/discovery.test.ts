import { afterEach, describe, expect, it } from 'vitest'
import type { ClientAuthorizationOptions } from './client-authorization.ts'
import { OAuthError } from './oauth-error.ts'
import { coversServer, resourceMetadataUrls } from './resource-metadata.ts'
import { serverMetadataUrls } from './server-metadata.ts'
import { TestAuthority, type AuthorityOptions } from './testing/test-authority.test-support.ts'
import { TestResource, type ResourceOptions } from './testing/test-resource.test-support.ts'
import { send, visitor, type Visitor } from './testing/visitor.test-support.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

type Scene = Visitor & { readonly authority: TestAuthority; readonly resource: TestResource }

async function scene(
  asked: AuthorityOptions = {},
  served: ResourceOptions = {},
  client: Partial<ClientAuthorizationOptions> = {},
): Promise<Scene> {
  const authority = await TestAuthority.start(asked)
  const resource = await TestResource.start([authority], served)
  const made = visitor(resource.url, client)
  closing.push(
    () => authority.close(),
    () => resource.close(),
    () => made.authorization.close(),
  )
  return { ...made, authority, resource }
}

/** The code and the message with which a first request fails. */
async function refusal({ authorization, resource }: Scene): Promise<{ code: string; message: string }> {
  const error: unknown = await send(authorization, resource.url).catch((reason: unknown) => reason)
  if (!(error instanceof OAuthError)) throw new Error(`expected an OAuthError, got ${String(error)}`)
  return error
}
const RFC8414 = '/.well-known/oauth-authorization-server'
const OIDC = '/.well-known/openid-configuration'

describe('discovery', () => {
  it.each<[string, ResourceOptions]>([
    ['where the challenge says', { metadataAt: 'challenge' }],
    ['at the well-known place with the path', { metadataAt: 'path' }],
    ['at the root', { metadataAt: 'root' }],
    [
      'where one of several challenges says',
      { metadataAt: 'path', challenge: 'Negotiate, Basic realm="a, b", Bearer' },
    ],
  ])('finds the metadata of the server %s', async (_place, served) => {
    const { authorization, resource } = await scene({}, served)
    expect(await send(authorization, resource.url)).toBe(200)
    expect(authorization.facts().resource).toBe(resource.url)
  })

  it.each([
    ['', RFC8414],
    ['', OIDC],
    ['/tenant', `${RFC8414}/tenant`],
    ['/tenant', `${OIDC}/tenant`],
    ['/tenant', `/tenant${OIDC}`],
  ])('finds the metadata of an issuer with the path "%s" at %s', async (issuerPath, place) => {
    const { authorization, authority, resource } = await scene({ issuerPath, metadataAt: [place] })
    expect(await send(authorization, resource.url)).toBe(200)
    expect(authority.at(place)).toHaveLength(1)
    // With a path, the places of other issuers are not asked.
    if (issuerPath !== '') expect([...authority.at(RFC8414), ...authority.at(OIDC)]).toEqual([])
  })

  it('takes a server without metadata for one of 2025-03-26, with metadata at its root or default endpoints', async () => {
    for (const metadataAt of [[RFC8414], []]) {
      const authority = await TestAuthority.start({ metadataAt })
      // Server and authorization server are one address there.
      const seen: string[] = []
      const made = visitor(`${authority.origin}/mcp`, {
        onStep: ({ kind, decision }) => seen.push(`${kind}: ${decision}`),
      })
      closing.push(
        () => authority.close(),
        () => made.authorization.close(),
      )
      await made.authorization.authorize()
      const [query] = authority.at('/authorize').map((request) => request.query)
      expect(query?.has('resource')).toBe(false)
      expect(query?.get('code_challenge_method')).toBe('S256')
      expect(authority.tokens.size).toBe(1)
      expect(seen.some((line) => line.includes('are the default') || line.includes('/register.'))).toBe(
        metadataAt.length === 0,
      )
    }
  })

  it('asks at all places, in order', () => {
    expect(resourceMetadataUrls('https://a.example/x/mcp', 'https://b.example/meta')).toEqual([
      'https://b.example/meta',
      'https://a.example/.well-known/oauth-protected-resource/x/mcp',
      'https://a.example/.well-known/oauth-protected-resource',
    ])
    expect(resourceMetadataUrls('https://a.example/', undefined)).toEqual([
      'https://a.example/.well-known/oauth-protected-resource',
    ])
    expect(serverMetadataUrls('https://a.example/t/')).toEqual([
      'https://a.example/.well-known/oauth-authorization-server/t',
      'https://a.example/.well-known/openid-configuration/t',
      'https://a.example/t/.well-known/openid-configuration',
    ])
  })

  it.each([
    ['https://a.example', 'https://a.example/mcp', true],
    ['https://a.example/', 'https://a.example/mcp', true],
    ['https://a.example/mcp', 'https://a.example/mcp', true],
    ['https://a.example/mcp/', 'https://a.example/mcp', true],
    ['https://A.example/mcp', 'https://a.example/mcp/x', true],
    ['https://a.example/mc', 'https://a.example/mcp', false],
    ['https://a.example/mcp/x', 'https://a.example/mcp', false],
    ['http://a.example/mcp', 'https://a.example/mcp', false],
    ['https://a.example:8443/mcp', 'https://a.example/mcp', false],
    ['https://a.example.evil.example/mcp', 'https://a.example/mcp', false],
    ['https://a.example/mcp#x', 'https://a.example/mcp', false],
    ['https://u@a.example/mcp', 'https://a.example/mcp', false],
    ['mcp', 'https://a.example/mcp', false],
  ])('lets metadata of %s speak for %s: %s', (resource, server, expected) => {
    expect(coversServer(resource, server)).toBe(expected)
  })
})

describe('a server or authorization server that is not what it should be', () => {
  it('is not asked further if the metadata is of another resource', async () => {
    const made = await scene({}, { metadata: { resource: 'https://evil.example/mcp' } })
    expect(await refusal(made)).toMatchObject({
      code: 'resource-mismatch',
      message: expect.stringContaining('https://evil.example/mcp') as string,
    })
    expect(made.authority.requests).toEqual([])
  })

  it.each(['https://evil.example', 'slash', undefined])(
    'is not used if its metadata names the issuer %s',
    async (issuer) => {
      const made = await scene()
      const named = issuer === 'slash' ? `${made.authority.issuer}/` : issuer
      made.authority.options = { metadata: { issuer: named } }
      expect((await refusal(made)).code).toBe('issuer-mismatch')
      expect(made.authority.requests.every(({ path }) => path.startsWith('/.well-known/'))).toBe(true)
    },
  )

  it.each<[string, AuthorityOptions, string | undefined]>([
    ['announced, and right', { iss: 'own' }, undefined],
    ['announced, and missing', { iss: 'none' }, 'issuer-mismatch'],
    ['announced, and another', { iss: { other: 'https://evil.example' } }, 'issuer-mismatch'],
    [
      'not announced, and missing',
      { iss: 'none', metadata: { authorization_response_iss_parameter_supported: undefined } },
      undefined,
    ],
    [
      'not announced, and another',
      {
        iss: { other: 'https://evil.example' },
        metadata: { authorization_response_iss_parameter_supported: undefined },
      },
      'issuer-mismatch',
    ],
  ])('gets no code if the issuer of its answer is not right: %s', async (_case, asked, expected) => {
    const made = await scene(asked)
    if (expected === undefined) expect(await send(made.authorization, made.resource.url)).toBe(200)
    else expect((await refusal(made)).code).toBe(expected)
    expect(made.authority.at('/token')).toHaveLength(expected === undefined ? 1 : 0)
  })

  it('gets no code if the issuer is right but for a slash, and its error is not shown', async () => {
    const made = await scene()
    made.authority.options = {
      iss: { other: `${made.authority.issuer}/` },
      answer: { error: 'access_denied', error_description: 'call this number' },
    }
    expect((await refusal(made)).code).toBe('issuer-mismatch')
    expect(made.authority.at('/token')).toEqual([])
    expect(
      made
        .steps()
        .map(({ decision }) => decision)
        .join('\n'),
    ).not.toContain('call this number')
  })

  it('may say no, and its words are shown', async () => {
    const made = await scene({ answer: { error: 'access_denied', error_description: 'not for you' } })
    expect(await refusal(made)).toMatchObject({
      code: 'denied',
      message: expect.stringContaining('access_denied (not for you)') as string,
    })
  })

  it('must know PKCE with S256', async () => {
    for (const methods of [undefined, ['plain']]) {
      const made = await scene({ metadata: { code_challenge_methods_supported: methods } })
      expect((await refusal(made)).code).toBe('pkce')
      expect(made.opened).toEqual([])
    }
    const allowed = await scene(
      { metadata: { code_challenge_methods_supported: undefined } },
      {},
      { settings: { allowUndeclaredPkce: true } },
    )
    expect(await send(allowed.authorization, allowed.resource.url)).toBe(200)
  })

  it.each([
    ['authorization_endpoint', 'http://a.example/authorize'],
    ['authorization_endpoint', 'javascript:alert(1)'],
    ['authorization_endpoint', undefined],
    ['token_endpoint', 'http://a.example/token'],
    ['registration_endpoint', 'http://169.254.169.254/register'],
  ])('must name %s so that it can be used, not %s', async (member, value) => {
    const made = await scene({ metadata: { [member]: value } })
    expect(['discovery', 'network']).toContain((await refusal(made)).code)
    expect(made.authority.at('/token')).toEqual([])
    if (member === 'authorization_endpoint') expect(made.opened).toEqual([])
  })

  it('is not asked at an address that no request goes to, and that is said', async () => {
    const made = await scene({}, { metadata: { authorization_servers: ['https://169.254.169.254'] } })
    expect(await refusal(made)).toMatchObject({
      code: 'network',
      message: expect.stringContaining('169.254.169.254') as string,
    })
  })
})

describe('as whom the client comes', () => {
  it('is what was registered by hand, with its secret where the authorization server wants it', async () => {
    for (const [methods, header] of [
      [['client_secret_basic', 'client_secret_post'], true],
      [['client_secret_post'], false],
      [undefined, true],
    ] as const) {
      const id = 'my client:1'
      const made = await scene(
        { clients: { [id]: 's&cret %/+' }, metadata: { token_endpoint_auth_methods_supported: methods } },
        {},
        { settings: { clientId: id, clientSecret: 's&cret %/+' } },
      )
      expect(await send(made.authorization, made.resource.url)).toBe(200)
      expect(made.authority.at('/register')).toEqual([])
      expect(made.authority.at('/token')[0]?.headers.authorization !== undefined).toBe(header)
      expect(made.authorization.facts()).toMatchObject({ clientId: id, clientKind: 'pre-registered' })
      expect(JSON.stringify(made.steps())).not.toContain('s&cret')
      expect(JSON.stringify(made.steps())).not.toContain('s%26cret')
    }
  })

  it('is the address of its metadata document, where such addresses are taken', async () => {
    const settings = { clientMetadataUrl: 'https://app.example/client.json' }
    const made = await scene({ metadata: { client_id_metadata_document_supported: true } }, {}, { settings })
    expect(await send(made.authorization, made.resource.url)).toBe(200)
    expect(made.authorization.facts()).toMatchObject({
      clientId: settings.clientMetadataUrl,
      clientKind: 'metadata-document',
    })
    const other = await scene({}, {}, { settings })
    await send(other.authorization, other.resource.url)
    expect(other.authorization.facts().clientKind).toBe('dynamic')
  })

  it.each<[Readonly<Record<string, unknown>>, string]>([
    [{}, 'none'],
    [{ client_secret: 'a-secret-of-theirs', token_endpoint_auth_method: 'client_secret_basic' }, 'basic'],
    [{ client_secret: 'a-secret-of-theirs', token_endpoint_auth_method: 'client_secret_post' }, 'post'],
  ])('is what registration gave: %j', async (registration, used) => {
    const made = await scene({ registration })
    expect(await send(made.authorization, made.resource.url)).toBe(200)
    const [{ headers, body } = { headers: {}, body: '' }] = made.authority.at('/token')
    const seen =
      headers.authorization !== undefined ? 'basic' : body.includes('client_secret=') ? 'post' : 'none'
    expect(seen).toBe(used)
  })

  it('has to be set by hand if registration is refused or not offered', async () => {
    const refused = await scene({ registration: 400 })
    expect(await refusal(refused)).toMatchObject({
      code: 'client',
      message: expect.stringContaining('invalid_client_metadata (not today)') as string,
    })
    const none = await scene({ metadata: { registration_endpoint: undefined } })
    expect(await refusal(none)).toMatchObject({
      code: 'client',
      message: expect.stringContaining('Register Patchbay there by hand') as string,
    })
  })

  it('asks for offline_access only where it is listed', async () => {
    const scopesOf = ({ authority }: Scene) =>
      authority.at('/authorize').map(({ query }) => query.get('scope'))
    const served: ResourceOptions = { metadata: { scopes_supported: ['read', 'offline_access'] } }
    const listed = await scene({ metadata: { scopes_supported: ['read', 'offline_access'] } }, served)
    await send(listed.authorization, listed.resource.url)
    expect(scopesOf(listed)).toEqual(['read offline_access'])
    const unlisted = await scene({ metadata: { scopes_supported: ['read'] } }, served)
    await send(unlisted.authorization, unlisted.resource.url)
    expect(scopesOf(unlisted)).toEqual(['read'])
    const nothing = await scene()
    await send(nothing.authorization, nothing.resource.url)
    expect(scopesOf(nothing)).toEqual([null])
  })
})
