import { once } from 'node:events'
import * as v2 from '@modelcontextprotocol/client'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport as V1Sse } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { Authority, type TokenChange } from '../../authorization/authority.test-support.ts'
import type { ResourceServerOptions } from '../../authorization/options.ts'
import { createResourceServer } from '../../authorization/resource-server.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { Registry } from '../../registry/registry.ts'
import { exchange, modern, openSession } from './http-raw.test-support.ts'
import { serve } from './listening.test-support.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closing.splice(0).reverse()) await close()
})

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

/** A server at all network routes that takes the tokens of a real authorization server. */
async function setup(options: Partial<ResourceServerOptions> = {}) {
  const authority = await Authority.start()
  closing.push(() => authority.close())
  const registry = new Registry()
  registry.addTool({ name: 'deploy', run: () => 'deployed' })
  registry.addTool({
    name: 'whoami',
    run: (_args, { principal, headers }) => ({
      subject: principal?.subject ?? null,
      scopes: principal?.scopes ?? null,
      authorization: headers['authorization'] ?? null,
    }),
  })
  registry.addTool({
    name: 'ask',
    run: async (_args, ctx) => {
      await ctx.elicit('Sure?', { type: 'object', properties: {} }, { key: 'sure' })
      return 'sure'
    },
  })
  const { listener } = await serve(registry, {
    routes: { mcp: true, sse: true, ws: true },
    authorization: ({ mcp = '', sse = '', ws = '' }) =>
      createResourceServer({
        resource: [mcp, sse, ws.replace('ws:', 'http:')],
        authorizationServers: [{ issuer: authority.issuer }],
        clockToleranceS: 0,
        ...options,
      }),
  })
  const { mcp = '', sse = '', ws = '' } = listener.urls
  const bearer = async (change: TokenChange = {}) => ({
    authorization: `Bearer ${await authority.token(mcp, change)}`,
  })
  return { authority, registry, listener, mcp, sse, ws, bearer }
}

/** Milliseconds after which a token expires that is not meant to last. */
const LIFE_MS = 60_000
const soon = () => ({ claims: { exp: Math.floor((Date.now() + LIFE_MS) / 1_000) } })

describe('a server that takes access tokens', () => {
  it('tells at every route, for every method, where its metadata is, and everybody may read that', async () => {
    const { mcp, sse, ws, authority } = await setup()
    const routes = [
      [mcp, ['POST', 'GET', 'DELETE'], mcp],
      [sse, ['GET'], sse],
      [sse.replace('/sse', '/messages?sessionId=x'), ['POST'], sse],
      [ws.replace('ws:', 'http:'), ['GET'], ws.replace('ws:', 'http:')],
    ] as const
    for (const [url, methods, resource] of routes) {
      for (const method of methods) {
        const refused = await exchange(url, { method, ...(method === 'POST' ? { body: INITIALIZE } : {}) })
        expect([url, method, refused.status]).toEqual([url, method, 401])
        const challenge = String(refused.headers['www-authenticate'])
        const metadataUrl = /^Bearer resource_metadata="(.+)"$/.exec(challenge)?.[1] ?? ''
        const headers = { origin: 'https://any.example' }
        const document = await exchange(metadataUrl, { method: 'GET', headers })
        expect(document.headers['access-control-allow-origin']).toBe('*')
        expect(await document.body()).toMatchObject({ resource, authorization_servers: [authority.issuer] })
        expect((await exchange(metadataUrl, { method: 'POST', headers })).status).toBe(405)
        const foreign = { ...headers, host: 'evil.example' }
        expect((await exchange(metadataUrl, { method: 'GET', headers: foreign })).status).toBe(403)
      }
    }
    expect(
      (await exchange(new URL('/.well-known/oauth-protected-resource', mcp).href, { method: 'GET' })).status,
    ).toBe(200)
    expect(
      (await exchange(`${mcp}?access_token=${await authority.token(mcp)}`, { body: INITIALIZE })).status,
    ).toBe(401)
  })

  it('checks the token of each request of a session, whatever its method', async () => {
    const { mcp, bearer } = await setup()
    const session = await openSession(mcp, {}, await bearer())
    const attempt = async (method: string, authorization: string | undefined) => {
      const { authorization: _own, ...headers } = session.headers as Record<string, string>
      return exchange(mcp, {
        method,
        headers: {
          ...headers,
          accept: 'application/json, text/event-stream',
          ...(authorization === undefined ? {} : { authorization }),
        },
        ...(method === 'POST' ? { body: { jsonrpc: '2.0', id: 1, method: 'ping' } } : {}),
      })
    }
    const expired = (await bearer({ claims: { exp: Math.floor(Date.now() / 1_000) - 1 } })).authorization
    const bob = (await bearer({ claims: { sub: 'bob' } })).authorization
    for (const method of ['POST', 'GET', 'DELETE']) {
      expect([method, (await attempt(method, undefined)).status]).toEqual([method, 401])
      expect([method, (await attempt(method, expired)).status]).toEqual([method, 401])
      expect([method, (await attempt(method, bob)).status]).toEqual([method, 404])
    }
    // Another token of the same user is the same caller.
    expect((await attempt('POST', (await bearer({ claims: { jti: 'renewed' } })).authorization)).status).toBe(
      200,
    )
  })

  it('gives handlers the principal, in both eras and on every transport, and the token to nobody', async () => {
    const { mcp, sse, ws, bearer } = await setup()
    const headers = await bearer({ claims: { scope: 'a b' } })
    const expected = { subject: 'alice', scopes: ['a', 'b'], authorization: null }
    const call = { name: 'whoami', arguments: {} }
    expect(await (await modern(mcp, 'tools/call', call, { headers })).body()).toMatchObject({
      result: { structuredContent: expected },
    })
    const session = await openSession(mcp, {}, headers)
    expect(await (await session.request(1, 'tools/call', call)).body()).toMatchObject({
      result: { structuredContent: expected },
    })
    const client = new V1Client({ name: 'official', version: '1' })
    closing.push(() => client.close())
    await client.connect(new V1Sse(new URL(sse), { requestInit: { headers } }))
    expect((await client.callTool(call)).structuredContent).toEqual(expected)
    const socket = new WebSocket(ws, 'mcp', { headers })
    closing.push(() => {
      socket.terminate()
    })
    await once(socket, 'open')
    expect(await ask(socket, INITIALIZE)).toMatchObject({ id: 0, result: {} })
    expect(await ask(socket, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })).toMatchObject({
      result: { structuredContent: expected },
    })
  })

  it('asks for the scopes of a tool, on every transport, and serves what needs none', async () => {
    const { mcp, ws, sse, bearer } = await setup({
      requiredScopes: { server: ['mcp'], tools: { deploy: ['deploy'] } },
    })
    expect((await exchange(mcp, { headers: await bearer(), body: INITIALIZE })).status).toBe(403)
    const headers = await bearer({ claims: { scope: 'mcp' } })
    const call = { name: 'deploy', arguments: {} }
    const refused = await modern(mcp, 'tools/call', call, { headers })
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      403,
      expect.stringMatching(/^Bearer error="insufficient_scope", .*scope="mcp deploy", resource_metadata="/),
    ])
    expect((await modern(mcp, 'tools/call', { name: 'whoami' }, { headers })).status).toBe(200)
    const session = await openSession(mcp, {}, headers)
    expect((await session.request(1, 'tools/call', call)).status).toBe(403)
    const more = await bearer({ claims: { scope: 'mcp deploy' } })
    const stepped = { ...session.headers, ...more }
    const body = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: call }
    expect((await exchange(mcp, { headers: stepped, body })).status).toBe(200)

    const posted = await exchange(sse.replace('/sse', '/messages'), { headers, body })
    expect(posted.status).toBe(403)

    const socket = new WebSocket(ws, 'mcp', { headers })
    closing.push(() => {
      socket.terminate()
    })
    await once(socket, 'open')
    await ask(socket, INITIALIZE)
    expect(await ask(socket, body)).toMatchObject({
      id: 2,
      error: { message: expect.stringContaining('mcp deploy') as unknown },
    })
    expect(await ask(socket, { jsonrpc: '2.0', id: 3, method: 'ping' })).toMatchObject({ id: 3, result: {} })
  })

  it('ends streams and connections when the token expires, and lets calls finish', async () => {
    // The clock is the test's: nothing expires before everything is open.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    const { mcp, sse, ws, bearer, registry, listener } = await setup()
    const gate = Promise.withResolvers<void>()
    registry.addTool({
      name: 'gated',
      run: async (_args, ctx) => {
        ctx.progress(1)
        await gate.promise
        return 'opened'
      },
    })
    const headers = await bearer(soon())
    const socket = new WebSocket(ws, 'mcp', { headers })
    const closed = once(socket, 'close')
    await once(socket, 'open')
    const session = await openSession(mcp, {}, headers)
    const stream = await session.listen()
    const events = await exchange(sse, {
      method: 'GET',
      headers: { ...headers, accept: 'text/event-stream' },
    })
    expect([stream.status, events.status]).toEqual([200, 200])
    const filter = { notifications: { toolsListChanged: true } }
    const subscription = await modern(mcp, 'subscriptions/listen', filter, { headers })
    const params = { name: 'gated', arguments: {} }
    const call = await modern(mcp, 'tools/call', params, { headers, meta: { progressToken: 1 } })
    vi.setSystemTime(Date.now() + LIFE_MS)
    vi.advanceTimersByTime(DEFAULT_LIMITS.keepAliveMs)
    await Promise.all([stream.ended, events.ended, subscription.ended])
    expect(subscription.messages.at(-1)).toMatchObject({ result: { resultType: 'complete' } })
    expect((await closed)[0]).toBe(1008)
    gate.resolve()
    await call.ended
    expect(call.messages.at(-1)).toMatchObject({ result: { content: [{ text: 'opened' }] } })
    expect((await session.request(1, 'ping')).status).toBe(401)
    // The session waits for its caller's next token.
    expect(listener.clientCount()).toBe(1)
    const renewed = { ...session.headers, ...(await bearer()) }
    expect(
      (await exchange(mcp, { headers: renewed, body: { jsonrpc: '2.0', id: 2, method: 'ping' } })).status,
    ).toBe(200)
  })

  it('binds sealed states to the user: nobody else can go on with them', async () => {
    const { mcp, bearer } = await setup()
    const alice = await bearer()
    const capabilities = { elicitation: {} }
    const asked = await (
      await modern(mcp, 'tools/call', { name: 'ask' }, { headers: alice, capabilities })
    ).body()
    const { requestState } = asked['result'] as { requestState: string }
    const inputResponses = { sure: { action: 'accept', content: {} } }
    const retry = async (headers: Record<string, string>) =>
      (
        await modern(
          mcp,
          'tools/call',
          { name: 'ask', requestState, inputResponses },
          { headers, capabilities, id: 2 },
        )
      ).body()
    expect(await retry(await bearer({ claims: { sub: 'bob' } }))).toMatchObject({ error: { code: -32602 } })
    expect(await retry(await bearer({ claims: { client_id: 'other' } }))).toMatchObject({
      error: { code: -32602 },
    })
    expect(await retry(await bearer({ claims: { jti: 'renewed' } }))).toMatchObject({
      result: { content: [{ text: 'sure' }] },
    })
  })

  it('does not keep its port if its options cannot work', async () => {
    const ports: number[] = []
    const attempt = serve(new Registry(), {
      authorization: ({ mcp = '' }) => {
        ports.push(Number(new URL(mcp).port))
        return createResourceServer({ resource: mcp, authorizationServers: [] })
      },
    })
    await expect(attempt).rejects.toThrow('authorizationServers')
    const { listener } = await serve(new Registry(), { port: ports[0] ?? 0 })
    expect(listener.port).toBe(ports[0])
  })

  it('says 503 while the authorization server fails', async () => {
    const { mcp, bearer, authority } = await setup()
    const headers = await bearer()
    authority.failsWith = 502
    const refused = await exchange(mcp, { headers, body: INITIALIZE })
    expect([refused.status, refused.headers['retry-after'], refused.headers['www-authenticate']]).toEqual([
      503,
      '5',
      undefined,
    ])
  })
})

describe('official clients', () => {
  /** Keeps what a client keeps; the browser is a fetch that follows no redirect. */
  function provider(): OAuthClientProvider & { readonly callback: () => Promise<URL> } {
    let information: unknown
    let tokens: unknown
    let discovered: unknown
    let verifier = ''
    let asked: URL | undefined
    return {
      redirectUrl: 'http://127.0.0.1:9/callback',
      clientMetadata: { client_name: 'official', redirect_uris: ['http://127.0.0.1:9/callback'] },
      state: () => 'state',
      clientInformation: () => information as never,
      saveClientInformation: (given) => {
        information = given
      },
      tokens: () => tokens as never,
      saveTokens: (given) => {
        tokens = given
      },
      redirectToAuthorization: (url) => {
        asked = url
      },
      saveCodeVerifier: (given) => {
        verifier = given
      },
      codeVerifier: () => verifier,
      saveDiscoveryState: (given) => {
        discovered = given
      },
      discoveryState: () => discovered as never,
      callback: async () => {
        if (asked === undefined) throw new Error('the client asked for no authorization')
        const page = await fetch(asked, { redirect: 'manual' })
        return new URL(page.headers.get('location') ?? '')
      },
    }
  }

  it('v1 finds its way: metadata, registration, code with PKCE and resource, token, step-up', async () => {
    const { mcp, authority } = await setup({
      requiredScopes: { server: ['mcp'], tools: { deploy: ['deploy'] } },
    })
    const authProvider = provider()
    const open = () => new V1Http(new URL(mcp), { authProvider })
    const first = open()
    await expect(new V1Client({ name: 'official', version: '1' }).connect(first)).rejects.toThrow(
      'Unauthorized',
    )
    await first.finishAuth((await authProvider.callback()).searchParams.get('code') ?? '')
    const client = new V1Client({ name: 'official', version: '1' })
    closing.push(() => client.close())
    const second = open()
    await client.connect(second)
    expect((await client.callTool({ name: 'whoami' })).structuredContent).toMatchObject({
      subject: 'alice',
      scopes: ['mcp'],
    })
    // The tool needs more: the client asks for what the challenge names, and gets it.
    await expect(client.callTool({ name: 'deploy' })).rejects.toThrow()
    await second.finishAuth((await authProvider.callback()).searchParams.get('code') ?? '')
    expect((await client.callTool({ name: 'deploy' })).content).toMatchObject([{ text: 'deployed' }])
    expect(authority.requests).toContain('POST /register')
  })

  it('v2 finds its way in the modern era', async () => {
    const { mcp } = await setup({ requiredScopes: { server: ['mcp'] } })
    const authProvider = provider() as unknown as v2.OAuthClientProvider & ReturnType<typeof provider>
    const open = () => new v2.StreamableHTTPClientTransport(new URL(mcp), { authProvider })
    const info = { name: 'official', version: '2' }
    const options = { versionNegotiation: { mode: 'auto' as const } }
    const first = open()
    await expect(new v2.Client(info, options).connect(first)).rejects.toThrow(v2.UnauthorizedError)
    await first.finishAuth((await authProvider.callback()).searchParams)
    const client = new v2.Client(info, options)
    closing.push(() => client.close())
    await client.connect(open())
    expect((await client.callTool({ name: 'whoami' })).structuredContent).toMatchObject({ subject: 'alice' })
  })
})

/** Sends a message and gives the next one that comes with its id. */
function ask(socket: WebSocket, message: JsonObject): Promise<unknown> {
  return new Promise((resolve) => {
    const read = (data: Buffer) => {
      const value = JSON.parse(data.toString()) as { readonly id?: number }
      if (value.id !== message['id']) return
      socket.off('message', read)
      resolve(value)
    }
    socket.on('message', read)
    socket.send(JSON.stringify(message))
  })
}
