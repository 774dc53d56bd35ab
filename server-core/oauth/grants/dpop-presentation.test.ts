import { createHash } from 'node:crypto'
import { calculateJwkThumbprint, decodeProtectedHeader, EmbeddedJWK, jwtVerify, type JWTPayload } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import {
  TestAuthority,
  type AuthorityOptions,
  type Received,
} from '../testing/test-authority.test-support.ts'
import { TestResource, type ResourceOptions } from '../testing/test-resource.test-support.ts'
import { send, visitor } from '../testing/visitor.test-support.ts'
import { MemorySecretStore } from '../../profile/secret-store.ts'
import { DpopPresentation } from './dpop-presentation.ts'
import { GrantSecrets } from './grant-secrets.ts'
import type { DpopSettings } from './settings.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

type Proof = {
  readonly claims: JWTPayload
  readonly thumbprint: string
  readonly algorithm: string | undefined
}

/** Reads the proof of a request as a server must (RFC 9449, 4.3), but for its nonce. */
async function proofOf(request: Received, origin: string): Promise<Proof> {
  const text = String(request.headers['dpop'])
  const { payload, protectedHeader } = await jwtVerify(text, EmbeddedJWK, { typ: 'dpop+jwt' })
  expect(payload).toMatchObject({ htm: request.method, htu: origin + request.path })
  expect(Math.abs(Date.now() / 1_000 - Number(payload.iat))).toBeLessThan(60)
  const jwk = decodeProtectedHeader(text).jwk ?? expect.fail('no key')
  expect(Object.keys(jwk)).not.toContain('d')
  return { claims: payload, thumbprint: await calculateJwkThumbprint(jwk), algorithm: protectedHeader.alg }
}

type Setting = {
  readonly authority?: AuthorityOptions
  readonly resource?: ResourceOptions
  readonly settings?: DpopSettings
  readonly store?: MemorySecretStore
}

async function scene({ authority: asked, resource: served, settings = {}, store }: Setting = {}) {
  const authority = await TestAuthority.start({ tokenType: 'DPoP', ...asked })
  const resource = await TestResource.start([authority], served)
  const kept = store ?? new MemorySecretStore()
  const presentation = new DpopPresentation(settings, new GrantSecrets(kept, 'test'))
  const made = visitor(resource.url, { store: kept, presentation })
  closing.push(
    () => authority.close(),
    () => resource.close(),
    () => made.authorization.close(),
  )
  const proofs = async (requests: readonly Received[], origin: string) =>
    Promise.all(requests.filter(({ headers }) => 'dpop' in headers).map((each) => proofOf(each, origin)))
  return { ...made, authority, resource, kept, proofs }
}

const calls = ({ requests }: TestResource) =>
  requests.filter(({ headers }) => headers.authorization !== undefined)

describe('DPoP', () => {
  it('proves the key afresh to the token endpoint and on each request, by the token it is for', async () => {
    const { authorization, authority, resource, proofs } = await scene()
    for (let n = 0; n < 3; n += 1) expect(await send(authorization, resource.url)).toBe(200)
    const atToken = await proofs(authority.at('/token'), authority.origin)
    const atServer = await proofs(calls(resource), resource.origin)
    expect([atToken.length, atServer.length]).toEqual([1, 3])
    const [token = ''] = authority.tokens.keys()
    const ath = createHash('sha256').update(token).digest('base64url')
    expect(atToken[0]?.claims).not.toHaveProperty('ath')
    for (const { claims } of atServer) expect(claims).toMatchObject({ ath })
    const all = [...atToken, ...atServer]
    expect(new Set(all.map(({ claims }) => claims.jti)).size).toBe(4)
    expect(new Set(all.map(({ thumbprint }) => thumbprint)).size).toBe(1)
    expect(new Set(all.map(({ algorithm }) => algorithm))).toEqual(new Set(['ES256']))
    for (const { headers } of calls(resource)) expect(headers.authorization).toBe(`DPoP ${token}`)
  })

  it('gives the nonce that each side asks for, on that side alone', async () => {
    let serverNonce = 'server-1'
    const { authorization, authority, resource, proofs } = await scene({
      authority: {
        token: async (request) => {
          const { claims } = await proofOf(request, authority.origin)
          if (claims['nonce'] === 'as-1') return undefined
          const body = { error: 'use_dpop_nonce' }
          return { status: 400, body, headers: { 'dpop-nonce': 'as-1' } }
        },
      },
      resource: {
        alsoNeeds: async (request) => {
          const { claims } = await proofOf(request, resource.origin)
          if (claims['nonce'] === serverNonce) return undefined
          return { 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': serverNonce }
        },
      },
    })
    expect(await send(authorization, resource.url)).toBe(200)
    expect(await send(authorization, resource.url)).toBe(200)
    serverNonce = 'server-2'
    expect(await send(authorization, resource.url)).toBe(200)
    const nonces = (list: readonly Proof[]) => list.map(({ claims }) => claims['nonce'])
    expect(nonces(await proofs(authority.at('/token'), authority.origin))).toEqual([undefined, 'as-1'])
    expect(nonces(await proofs(calls(resource), resource.origin))).toEqual([
      ...[undefined, 'server-1', 'server-1', 'server-1', 'server-2'],
    ])
    // Only the token was asked for again: the user was not.
    expect(authority.at('/authorize')).toHaveLength(1)
  })

  it('gives up on a server that refuses the nonce that it gave', async () => {
    const { authorization, authority, resource } = await scene({
      resource: {
        alsoNeeds: () =>
          Promise.resolve({ 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': 'same' }),
      },
    })
    await expect(send(authorization, resource.url)).rejects.toMatchObject({ code: 'refused' })
    expect(calls(resource).length).toBeLessThan(5)
    expect(authority.at('/authorize')).toHaveLength(1)
  })

  it('keeps its key in the secret store, and takes it up again', async () => {
    const first = await scene({ settings: { algorithm: 'ES384' } })
    expect(await send(first.authorization, first.resource.url)).toBe(200)
    const [before] = await first.proofs(calls(first.resource), first.resource.origin)
    expect(before?.algorithm).toBe('ES384')
    const presentation = new DpopPresentation({ algorithm: 'ES384' }, new GrantSecrets(first.kept, 'test'))
    const again = visitor(first.resource.url, { store: first.kept, presentation })
    closing.push(() => again.authorization.close())
    expect(await send(again.authorization, first.resource.url)).toBe(200)
    const [, after] = await first.proofs(calls(first.resource), first.resource.origin)
    expect(after?.thumbprint).toBe(before?.thumbprint)
    expect(first.authority.at('/token')).toHaveLength(1)
    expect(JSON.stringify(first.steps())).not.toContain('"d"')
  })

  it('goes on with a token that is bound to no key only if that is allowed', async () => {
    const strict = await scene({ authority: { tokenType: 'Bearer' } })
    await expect(send(strict.authorization, strict.resource.url)).rejects.toMatchObject({
      code: 'token',
      message: expect.stringMatching(/bound to no key/) as unknown,
    })
    expect(calls(strict.resource)).toEqual([])
    const lax = await scene({ authority: { tokenType: 'Bearer' }, settings: { allowUnbound: true } })
    expect(await send(lax.authorization, lax.resource.url)).toBe(200)
    expect(calls(lax.resource)[0]?.headers).toMatchObject({
      authorization: expect.stringMatching(/^Bearer /) as unknown,
    })
  })

  it('names the address without query, as one over HTTP for a WebSocket', async () => {
    const presentation = new DpopPresentation({}, new GrantSecrets(new MemorySecretStore(), 'test'))
    const token = { accessToken: 'token', tokenType: 'dpop' }
    for (const [url, htu] of [
      ['https://x.example/mcp?a=1#f', 'https://x.example/mcp'],
      ['wss://x.example/mcp', 'https://x.example/mcp'],
      ['ws://127.0.0.1:3/', 'http://127.0.0.1:3/'],
    ] as const) {
      const { dpop = '' } = await presentation.headers({ method: 'get', url }, token)
      expect((await jwtVerify(dpop, EmbeddedJWK)).payload).toMatchObject({ htm: 'GET', htu })
    }
  })

  it('sends back no invalid nonce', async () => {
    const presentation = new DpopPresentation({}, new GrantSecrets(new MemorySecretStore(), 'test'))
    const token = { accessToken: 'token', tokenType: 'dpop' }
    for (const nonce of ['', 'a b', 'a"b', 'a\\b', 'ä', 'x'.repeat(1_025)]) {
      presentation.responded({ 'dpop-nonce': nonce })
      const { dpop = '' } = await presentation.headers({ method: 'POST', url: 'https://x.example/' }, token)
      expect((await jwtVerify(dpop, EmbeddedJWK)).payload).not.toHaveProperty('nonce')
    }
  })
})
