import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt, jwtVerify, SignJWT, type JWTPayload } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { OAuthError } from '../oauth-error.ts'
import {
  TestAuthority,
  type AuthorityOptions,
  type Received,
  type TokenAnswer,
} from '../testing/test-authority.test-support.ts'
import { TestResource, type ResourceOptions } from '../testing/test-resource.test-support.ts'
import { send, visitor, type Visitor } from '../testing/visitor.test-support.ts'
import { grantFrom } from './grant-from.ts'
import { GrantSecrets } from './grant-secrets.ts'
import { secretsNeeded, urlsNamed, type GrantSecret, type GrantSettings } from './settings.ts'
import { MemorySecretStore } from '../../profile/secret-store.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const stringMatching = (pattern: RegExp): unknown => expect.stringMatching(pattern)
const pair = (curve = 'P-256') => generateKeyPairSync('ec', { namedCurve: curve })
const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const jwt = (key: KeyObject, claims: JWTPayload, header = {}): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256', ...header }).sign(key)
const inAMinute = (): number => Math.floor(Date.now() / 1_000) + 60
const form = (body: string): Record<string, string> => Object.fromEntries(new URLSearchParams(body))
const issued = (more = {}): TokenAnswer => ({
  status: 200,
  body: { access_token: `access-${randomUUID()}`, token_type: 'Bearer', expires_in: 60, ...more },
})
const refused = (error: string, description = ''): TokenAnswer => ({
  status: 400,
  body: { error, error_description: description },
})

async function authorityOf(options: AuthorityOptions): Promise<TestAuthority> {
  const authority = await TestAuthority.start(options)
  closing.push(() => authority.close())
  return authority
}

type Scene = Visitor & { readonly resource: TestResource; readonly secrets: GrantSecrets }

async function scene(
  authorities: readonly TestAuthority[],
  settings: GrantSettings,
  given: Partial<Record<GrantSecret, string>>,
  options: ResourceOptions = {},
): Promise<Scene> {
  const resource = await TestResource.start(authorities, options)
  closing.push(() => resource.close())
  const store = new MemorySecretStore()
  const secrets = new GrantSecrets(store, 'test')
  for (const [name, value] of Object.entries(given)) await secrets.set(name as GrantSecret, value)
  const made = visitor(resource.url, { store, grant: grantFrom(settings, secrets), mayAskUser: () => false })
  closing.push(() => made.authorization.close())
  return { ...made, resource, secrets }
}

const failureOf = async ({ authorization, resource }: Scene): Promise<OAuthError> => {
  const error: unknown = await send(authorization, resource.url).catch((reason: unknown) => reason)
  if (error instanceof OAuthError) return error
  throw new Error(`expected an OAuthError, got ${String(error)}`)
}
const failedStep = (made: Scene): string =>
  made.steps().find(({ state }) => state === 'failed')?.decision ?? ''

const BY_SECRET: GrantSettings = {
  kind: 'client-credentials',
  clientId: 'machine 1',
  authentication: { method: 'secret' },
}

describe('client credentials', () => {
  it('authenticate by the secret, in the way that the authorization server takes', async () => {
    const seen: unknown[] = []
    const token = ({ headers, body }: Received) => {
      seen.push({ ...form(body), authorization: headers.authorization })
      return Promise.resolve(issued())
    }
    const basic = `Basic ${Buffer.from('machine+1:s%26cret').toString('base64')}`
    const common = { grant_type: 'client_credentials', scope: 'read' }
    for (const [taken, as, shown] of [
      [['client_secret_basic', 'client_secret_post'], undefined, { authorization: basic }],
      [['client_secret_post'], undefined, { client_id: 'machine 1', client_secret: 's&cret' }],
      [['client_secret_basic'], 'client_secret_post', { client_id: 'machine 1', client_secret: 's&cret' }],
    ] as const) {
      const authority = await authorityOf({
        token,
        metadata: { token_endpoint_auth_methods_supported: taken },
      })
      const settings = { ...BY_SECRET, authentication: { method: 'secret', ...(as && { as }) } } as const
      const made = await scene([authority], settings, { client_secret: 's&cret' }, { challengeScope: 'read' })
      expect(await send(made.authorization, made.resource.url)).toBe(200)
      expect(seen.pop()).toEqual({ ...common, resource: made.resource.url, ...shown })
      expect(made.opened).toEqual([])
      expect(JSON.stringify(made.steps())).not.toMatch(/s&cret|s%26cret|access-/)
    }
  })

  it('authenticate by a signed assertion for this authorization server alone', async () => {
    for (const [format, curve, algorithm] of [
      ['pkcs8', 'P-256', 'ES256'],
      ['sec1', 'P-384', 'ES384'],
      ['jwk', 'P-256', 'ES256'],
      ['escaped', 'P-256', 'ES256'],
    ] as const) {
      const { privateKey, publicKey } = pair(curve)
      const pem = privateKey.export({ type: format === 'sec1' ? 'sec1' : 'pkcs8', format: 'pem' }).toString()
      const text =
        format === 'jwk'
          ? JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: 'k1' })
          : format === 'escaped'
            ? pem.replaceAll('\n', '\\n')
            : pem
      const assertions: Awaited<ReturnType<typeof jwtVerify>>[] = []
      const authority = await authorityOf({
        token: async ({ body }) => {
          const { client_assertion: assertion = '', client_assertion_type: type, client_secret } = form(body)
          expect([type, client_secret]).toEqual([
            'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
            undefined,
          ])
          assertions.push(await jwtVerify(assertion, publicKey, { audience: authority.issuer }))
          return issued()
        },
      })
      const settings = { ...BY_SECRET, authentication: { method: 'private_key_jwt' } } as const
      const made = await scene([authority], settings, { private_key: text })
      expect(await send(made.authorization, made.resource.url)).toBe(200)
      const [{ payload, protectedHeader } = expect.fail('no assertion')] = assertions
      expect(payload).toMatchObject({ iss: 'machine 1', sub: 'machine 1', aud: authority.issuer })
      expect(Number(payload.exp) - Number(payload.iat)).toBeLessThanOrEqual(60)
      expect(payload.jti).toEqual(expect.any(String))
      expect(protectedHeader).toMatchObject({ alg: algorithm, ...(format === 'jwk' && { kid: 'k1' }) })
      expect(JSON.stringify(made.steps())).toContain('client_assertion=⟨client_assertion⟩')
    }
  })

  it('sign by an algorithm that the authorization server takes', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const edwards = generateKeyPairSync('ed25519').privateKey
    for (const [key, supported, algorithm] of [
      [rsa, undefined, 'RS256'],
      [rsa, ['PS256', 'ES256'], 'PS256'],
      [edwards, ['EdDSA'], 'EdDSA'],
      [edwards, undefined, 'Ed25519'],
    ] as const) {
      let used: unknown
      const authority = await authorityOf({
        metadata: { token_endpoint_auth_signing_alg_values_supported: supported },
        token: ({ body }) => {
          const [header = ''] = (form(body)['client_assertion'] ?? '').split('.')
          used = (JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg: string }).alg
          return Promise.resolve(issued())
        },
      })
      const settings = { ...BY_SECRET, authentication: { method: 'private_key_jwt' } } as const
      const made = await scene([authority], settings, { private_key: pemOf(key) })
      expect(await send(made.authorization, made.resource.url)).toBe(200)
      expect(used).toBe(algorithm)
    }
  })

  it('say what is missing or cannot be read, before anything is sent', async () => {
    const authority = await authorityOf({})
    const encrypted = pair().privateKey.export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'x',
    })
    const byKey = (algorithm?: 'RS256') =>
      ({
        ...BY_SECRET,
        authentication: { method: 'private_key_jwt', ...(algorithm && { algorithm }) },
      }) as const
    for (const [settings, given, message] of [
      [BY_SECRET, {}, /no client secret. Enter it/],
      [byKey(), {}, /no private key. Enter it/],
      [byKey(), { private_key: 'x' }, /expected PEM/],
      [byKey(), { private_key: '{"kty":"EC"}' }, /expected PEM/],
      [byKey(), { private_key: encrypted.toString() }, /is encrypted/],
      [byKey('RS256'), { private_key: pemOf(pair().privateKey) }, /cannot sign by RS256; it can by ES256/],
    ] as const) {
      const made = await scene([authority], settings, given)
      expect(await failureOf(made)).toMatchObject({ code: 'client', message: stringMatching(message) })
    }
    expect(authority.at('/token')).toEqual([])
  })

  it('are tried once: a rejection is reported and opens no page', async () => {
    const authority = await authorityOf({ token: () => Promise.resolve(refused('invalid_client', 'who?')) })
    const made = await scene([authority], BY_SECRET, { client_secret: 'secret-1' })
    expect(await failureOf(made)).toMatchObject({
      code: 'token',
      message: stringMatching(/invalid_client \(who\?\)/),
    })
    expect(authority.at('/token')).toHaveLength(1)
    expect(authority.at('/authorize')).toEqual([])
    expect(authority.at('/register')).toEqual([])
  })

  it('are shown to the first authorization server alone, until the settings are saved again', async () => {
    const authority = await authorityOf({ token: () => Promise.resolve(issued()) })
    const other = await authorityOf({ token: () => Promise.resolve(issued()) })
    const made = await scene([authority], BY_SECRET, { client_secret: 'secret-1' })
    expect(await send(made.authorization, made.resource.url)).toBe(200)
    made.resource.authorities = [other]
    expect(await failureOf(made)).toMatchObject({ code: 'issuer-mismatch' })
    expect(other.at('/token')).toEqual([])
    await made.secrets.unpin()
    expect(await send(made.authorization, made.resource.url)).toBe(200)
    expect(other.at('/token')).toHaveLength(1)
  })
})

describe('enterprise-managed authorization', () => {
  const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag'
  const provider = pair()
  const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

  /** An identity provider and an authorization server that trusts it. */
  async function organisation(change: { readonly aud?: string; readonly type?: string } = {}) {
    const idp = await authorityOf({
      metadataAt: ['/.well-known/openid-configuration'],
      token: async ({ body }) => {
        const { grant_type, subject_token = '', audience, resource, scope, requested_token_type } = form(body)
        if (grant_type !== EXCHANGE || requested_token_type !== ID_JAG) return refused('invalid_request')
        const { payload } = await jwtVerify(subject_token, provider.publicKey)
        const claims: JWTPayload = {
          iss: idp.issuer,
          aud: change.aud ?? audience ?? '',
          client_id: 'app',
          resource,
          scope,
          jti: randomUUID(),
          exp: inAMinute(),
          ...(payload.sub === undefined ? {} : { sub: payload.sub }),
        }
        const assertion = await jwt(provider.privateKey, claims, { typ: 'oauth-id-jag+jwt' })
        const type = change.type ?? ID_JAG
        return issued({ access_token: assertion, issued_token_type: type, token_type: 'N_A' })
      },
    })
    const authority = await authorityOf({
      metadata: {
        authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
      },
      token: async ({ body }) => {
        const { grant_type, assertion = '' } = form(body)
        if (grant_type !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
          return refused('unsupported_grant_type')
        await jwtVerify(assertion, provider.publicKey, { audience: authority.issuer, issuer: idp.issuer })
        return issued()
      },
    })
    const settings: GrantSettings = {
      kind: 'enterprise-managed',
      clientId: 'app',
      authentication: { method: 'secret' },
      identityProvider: { issuer: idp.issuer, clientId: 'app at idp', authentication: { method: 'secret' } },
      subject: { source: { from: 'secret' }, type: 'id_token' },
    }
    const idToken = await jwt(provider.privateKey, { sub: 'user', aud: 'app at idp', exp: inAMinute() })
    const given = { client_secret: 'secret-1', idp_client_secret: 'secret-2', subject_token: idToken }
    return { idp, authority, settings, given, idToken }
  }

  it('exchanges the word of the identity provider for a token, with each secret where it belongs', async () => {
    const { idp, authority, settings, given, idToken } = await organisation()
    const made = await scene([authority], settings, given, { challengeScope: 'read write' })
    expect(await send(made.authorization, made.resource.url)).toBe(200)
    const [exchange] = idp.at('/token').map(({ body }) => form(body))
    expect(exchange).toMatchObject({
      audience: authority.issuer,
      resource: made.resource.url,
      scope: 'read write',
      subject_token: idToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    })
    const [asked] = authority.at('/token')
    const { assertion = '' } = form(asked?.body ?? '')
    expect(decodeJwt(assertion)).toMatchObject({ aud: authority.issuer, client_id: 'app', sub: 'user' })
    expect(asked?.headers.authorization).toBe(`Basic ${Buffer.from('app:secret-1').toString('base64')}`)
    const told = JSON.stringify(made.steps())
    for (const secret of [idToken, assertion, 'secret-1', 'secret-2']) expect(told).not.toContain(secret)
    expect(JSON.stringify(authority.requests)).not.toContain(idToken)
    expect(made.steps().map(({ kind }) => kind)).toEqual([
      ...['challenge', 'resource-metadata', 'authorization-server', 'server-metadata', 'client', 'scopes'],
      ...['client', 'server-metadata', 'assertion', 'token', 'credentials'],
    ])
  })

  it('asks the token endpoint of the settings if there is one, without reading metadata', async () => {
    const { idp, authority, settings, given } = await organisation()
    const tokenEndpoint = `${idp.issuer}/token`
    const chosen = { ...settings, identityProvider: { ...settings.identityProvider, tokenEndpoint } }
    const made = await scene([authority], chosen, given)
    expect(await send(made.authorization, made.resource.url)).toBe(200)
    expect(idp.requests.map(({ path }) => path)).toEqual(['/token'])
    expect(urlsNamed(chosen).map(String)).toEqual([`${idp.issuer}/`, tokenEndpoint])
  })

  it('sends on no assertion for somebody else, and none that is something else', async () => {
    for (const [change, message] of [
      [{ aud: 'https://other.example' }, /is for "https:\/\/other.example", expected http/],
      [{ type: 'urn:ietf:params:oauth:token-type:access_token' }, /Expected an ID-JAG/],
    ] as const) {
      const { authority, settings, given } = await organisation(change)
      const made = await scene([authority], settings, given)
      expect(await failureOf(made)).toMatchObject({ code: 'token', message: stringMatching(message) })
      expect(authority.at('/token')).toEqual([])
      expect(failedStep(made)).toMatch(message)
    }
  })

  it('says that the ID token is over, and asks nobody', async () => {
    const { idp, authority, settings, given } = await organisation()
    const over = await jwt(provider.privateKey, { sub: 'user', exp: 1_700_000_000 })
    const made = await scene([authority], settings, { ...given, subject_token: over })
    expect(await failureOf(made)).toMatchObject({
      code: 'token',
      message: 'The ID token ended at 2023-11-14T22:13:20.000Z. Get a new one from whoever issued it.',
    })
    expect([...idp.requests, ...authority.at('/token')]).toEqual([])
  })
})

describe('workload identity', () => {
  const platform = pair()

  async function workload(claims: (issuer: string) => JWTPayload) {
    const authority = await authorityOf({
      token: async ({ body }) => {
        const { assertion = '' } = form(body)
        await jwtVerify(assertion, platform.publicKey)
        return issued()
      },
    })
    const assertion = await jwt(platform.privateKey, { sub: 'pod-1', ...claims(authority.issuer) })
    return { authority, assertion }
  }

  it('shows the JWT of the platform, from a file that is read each time, and names no client', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'patchbay-grants-'))
    closing.push(() => rm(folder, { recursive: true }))
    const { authority, assertion } = await workload((aud) => ({ aud, exp: inAMinute() }))
    const path = join(folder, 'token')
    await writeFile(path, `${assertion}\n`)
    const settings: GrantSettings = { kind: 'workload-identity', source: { from: 'file', path } }
    const made = await scene([authority], settings, {})
    expect(await send(made.authorization, made.resource.url)).toBe(200)
    const [asked] = authority.at('/token')
    expect(form(asked?.body ?? '')).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion,
      resource: made.resource.url,
    })
    expect(asked?.headers.authorization).toBe(undefined)
    await rm(path)
    authority.expireTokens()
    expect(await failureOf(made)).toMatchObject({
      code: 'client',
      message: stringMatching(/cannot be read from .* \(ENOENT\)/),
    })
  })

  it('sends no JWT that is over, for another authorization server, or none at all', async () => {
    for (const [claims, message] of [
      [() => ({ aud: 'https://other.example' }), /is for "https:\/\/other.example", not for http/],
      [(aud: string) => ({ aud, exp: 1_700_000_000 }), /ended at 2023/],
    ] as const) {
      const { authority, assertion } = await workload(claims)
      const settings: GrantSettings = { kind: 'workload-identity', source: { from: 'secret' } }
      const made = await scene([authority], settings, { assertion })
      expect((await failureOf(made)).message).toMatch(message)
      const none = await scene([authority], settings, { assertion: 'no-jwt' })
      expect((await failureOf(none)).message).toMatch(/Expected a JWT/)
      const unset = {
        kind: 'workload-identity',
        source: { from: 'environment', name: 'PATCHBAY_NONE' },
      } as const
      const missing = await scene([authority], unset, {})
      expect((await failureOf(missing)).message).toMatch(/in the environment variable PATCHBAY_NONE/)
      expect(authority.at('/token')).toEqual([])
    }
  })

  it('takes a refusal for final', async () => {
    const authority = await authorityOf({ token: () => Promise.resolve(refused('invalid_grant')) })
    const assertion = await jwt(platform.privateKey, { sub: 'pod-1', aud: authority.issuer })
    const settings: GrantSettings = { kind: 'workload-identity', source: { from: 'secret' } }
    const made = await scene([authority], settings, { assertion })
    expect(await failureOf(made)).toMatchObject({ code: 'token' })
    expect(authority.at('/token')).toHaveLength(1)
    expect(authority.at('/authorize')).toEqual([])
  })
})

describe('the settings of a grant', () => {
  it('say which secrets belong to them', () => {
    expect(secretsNeeded(BY_SECRET)).toEqual(['client_secret'])
    expect(secretsNeeded({ kind: 'workload-identity', source: { from: 'secret' } })).toEqual(['assertion'])
    expect(secretsNeeded({ kind: 'workload-identity', source: { from: 'file', path: '/x' } })).toEqual([])
    const byKey = { method: 'private_key_jwt' } as const
    expect(
      secretsNeeded({
        kind: 'enterprise-managed',
        clientId: 'a',
        authentication: byKey,
        identityProvider: { issuer: 'https://idp.example', clientId: 'b', authentication: byKey },
        subject: { source: { from: 'secret' }, type: 'saml2' },
      }),
    ).toEqual(['private_key', 'subject_token'])
  })
})
