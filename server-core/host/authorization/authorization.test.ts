import { afterEach, expect, it } from 'vitest'
import { Authority } from '../../authorization/authority.test-support.ts'
import { createResourceServer } from '../../authorization/resource-server.ts'
import { TestAuthority } from '../../oauth/testing/test-authority.test-support.ts'
import { TestResource } from '../../oauth/testing/test-resource.test-support.ts'
import { visit } from '../../oauth/testing/visitor.test-support.ts'
import { Registry } from '../../registry/registry.ts'
import { createServer } from '../../server/server.ts'
import { startHttpListener } from '../../listener/http-listener.ts'
import { MemorySecretStore } from '../../profile/secret-store.ts'
import type { AuthorizationState } from '../contract/authorization.ts'
import { startTestHost, watchUntil, type TestHost } from '../host.test-support.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A secret store that tests look into. */
class OpenStore extends MemorySecretStore {
  readonly #kept = new Map<string, string>()

  override set(key: string, value: string): Promise<void> {
    this.#kept.set(key, value)
    return super.set(key, value)
  }

  override delete(key: string): Promise<void> {
    this.#kept.delete(key)
    return super.delete(key)
  }

  text(): string {
    return JSON.stringify([...this.#kept])
  }
}

/** A server of this test that accepts tokens of an authorization server on loopback. */
async function protectedServer(): Promise<{ url: string; authority: Authority }> {
  const authority = await Authority.start()
  closing.push(() => authority.close())
  const registry = new Registry()
  registry.addTool({ name: 'whoami', run: (_args, ctx) => ctx.principal?.subject ?? 'nobody' })
  registry.addTool({ name: 'deploy', run: () => 'deployed' })
  const listener = await startHttpListener({
    server: createServer({ registry, info: { name: 'protected', version: '1.0.0' } }),
    port: 0,
    authorization: ({ mcp = '' }) =>
      createResourceServer(
        {
          resource: mcp,
          authorizationServers: [{ issuer: authority.issuer }],
          requiredScopes: { server: ['mcp'], tools: { deploy: ['deploy'] } },
        },
        () => undefined,
      ),
  })
  closing.push(() => listener.close())
  return { url: listener.url, authority }
}

type Scene = TestHost & {
  readonly id: string
  readonly url: string
  readonly authority: Authority
  readonly store: OpenStore
  /** The state once it is one of these. */
  readonly reaches: (...statuses: AuthorizationState['status'][]) => Promise<AuthorizationState>
  readonly opened: string[]
}

async function scene(openUrl: (href: string) => Promise<unknown> = visit): Promise<Scene> {
  const server = await protectedServer()
  const store = new OpenStore()
  const opened: string[] = []
  const host = await startTestHost({
    secretStore: () => store,
    openUrl: async (href) => {
      opened.push(href)
      await openUrl(href)
    },
  })
  closing.push(() => host.close())
  const target = { transport: 'http' as const, url: server.url, headers: [] }
  const { id } = await host.addApproved({ name: 'protected', target })
  let watches = 0
  const reaches = async (...statuses: AuthorizationState['status'][]) => {
    const fits = ({ authorizations = [] }: { authorizations?: AuthorizationState[] | undefined }) =>
      authorizations.find(({ serverId, status }) => serverId === id && statuses.includes(status))
    const batches = await watchUntil(host.client, (batch) => fits(batch) !== undefined, `w${(watches += 1)}`)
    const [found] = batches.flatMap((batch) => fits(batch) ?? []).slice(-1)
    if (found === undefined) throw new Error('no such state')
    return found
  }
  return { ...host, ...server, id, store, opened, reaches }
}

const until = async <T>(ask: () => Promise<T>, fits: (value: T) => boolean): Promise<T> => {
  const value = await ask()
  if (fits(value)) return value
  await new Promise((resolve) => setImmediate(resolve))
  return until(ask, fits)
}

it('says that authorization is needed, and goes on only when the user begins', async () => {
  const { client, id, opened, reaches, authority, store } = await scene()
  const refused = await client.servers.connect({ id })
  expect(refused).toMatchObject({
    status: 'failed',
    failure: { code: 'authorization-needed', httpStatus: 401 },
  })
  expect(refused.failure?.title).toMatch(/^127\.0\.0\.1:\d+ asks for authorization$/)
  expect(refused.failure?.explanation).toContain(authority.issuer)
  expect(await client.authorization.state({ serverId: id })).toMatchObject({
    status: 'needed',
    issuer: authority.issuer,
    reason: expect.stringContaining('after you agreed') as string,
  })
  expect(opened).toEqual([])
  expect(authority.requests).not.toContain('POST /register')

  await client.authorization.start({ serverId: id })
  expect(await reaches('authorized')).toMatchObject({ scopes: ['mcp'], clientKind: 'dynamic' })
  await until(
    () => client.servers.list(),
    (states) => states.some((state) => state.id === id && state.status === 'connected'),
  )
  expect(opened).toHaveLength(1)
  const steps = await client.authorization.steps({ serverId: id })
  expect(steps.map(({ kind }) => kind)).toContain('token')
  const call = await client.inspect.request({
    serverId: id,
    callId: 'c',
    method: 'tools/call',
    paramsText: '{"name":"whoami","arguments":{}}',
  })
  expect(call).toMatchObject({ type: 'result', messageText: expect.stringContaining('alice') as string })

  // A tool that needs more does not open a browser by itself either.
  const more = () =>
    client.inspect.request({
      serverId: id,
      callId: 'd',
      method: 'tools/call',
      paramsText: '{"name":"deploy","arguments":{}}',
    })
  expect(await more()).toMatchObject({
    type: 'failure',
    message: expect.stringContaining('deploy') as string,
  })
  expect(opened).toHaveLength(1)
  await client.authorization.start({ serverId: id })
  expect((await reaches('authorized')).scopes).toEqual(['mcp', 'deploy'])
  expect(await more()).toMatchObject({ type: 'result' })

  // No token is on the timeline, in what the page gets, or in the entry's file.
  const [token] = /ey[\w-]+\.[\w-]+\.[\w-]+/.exec(store.text()) ?? ['']
  expect(token).not.toBe('')
  const batches = await watchUntil(client, () => true, 'all')
  const rows = batches.flatMap(({ exchanges = [] }) => exchanges)
  const { frames } = await client.traffic.frames({
    seqs: rows.flatMap(({ frames: seqs }) => seqs).slice(-900),
  })
  expect(frames.some(({ http }) => http?.headers.some(({ name }) => name === 'authorization'))).toBe(true)
  expect(JSON.stringify([frames, rows, steps])).not.toContain(token)

  await client.authorization.forget({ serverId: id })
  expect(await client.authorization.state({ serverId: id })).toMatchObject({ status: 'none' })
  expect(store.text()).not.toContain(token)
})

it('is held before each request, changed, done again and given up', async () => {
  const { client, id, opened, authority } = await scene()
  const serverId = id
  const pausedStep = (kind: string) =>
    until(
      () => client.authorization.steps({ serverId }),
      (steps) => steps.some((step) => step.kind === kind && step.state === 'waiting'),
    ).then((steps) => steps.findLast(({ state }) => state === 'waiting'))
  const goOn = async (kind: string, change: Readonly<Record<string, string>> = {}) => {
    const step = await pausedStep(kind)
    if (step?.request === undefined) throw new Error('nothing is held')
    const request = { ...step.request, headers: { ...step.request.headers, ...change } }
    await client.authorization.continue({ serverId, stepId: step.id, request })
    return step
  }
  expect(await client.authorization.start({ serverId, paused: true })).toMatchObject({
    status: 'authorizing',
    paused: true,
  })
  const asked = await goOn('challenge')
  expect(await client.authorization.state({ serverId })).toMatchObject({ status: 'authorizing' })
  await goOn('resource-metadata', { 'x-seen': 'yes' })
  await goOn('server-metadata')
  const registration = await goOn('registration')
  const { id: pageId } = (await pausedStep('authorization-request')) ?? { id: '' }
  expect(await client.authorization.state({ serverId })).toMatchObject({ waitingFor: 'gate' })
  await expect(client.authorization.continue({ serverId, stepId: asked.id })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await client.authorization.repeat({ serverId, stepId: registration.id })
  await goOn('registration')
  const again = await pausedStep('authorization-request')
  expect(again?.id).not.toBe(pageId)
  expect(authority.requests.filter((line) => line === 'POST /register')).toHaveLength(2)
  expect(opened).toEqual([])
  expect(await client.authorization.stop({ serverId })).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('stopped') as string,
  })
  // It is let run from there.
  await client.authorization.pause({ serverId, paused: false })
  await client.authorization.repeat({ serverId, stepId: again?.id ?? '' })
  await until(
    () => client.authorization.state({ serverId }),
    ({ status }) => status === 'authorized',
  )
  expect(opened).toHaveLength(1)
})

it('holds up neither a disconnect nor the end of the host', async () => {
  const { client, id, host } = await scene()
  const serverId = id
  const isHeld = () =>
    until(
      () => client.authorization.state({ serverId }),
      ({ waitingFor }) => waitingFor === 'gate',
    )
  await client.authorization.pause({ serverId, paused: true })
  const connecting = client.servers.connect({ id })
  await isHeld()
  expect(await client.servers.disconnect({ id })).toMatchObject({ status: 'disconnected' })
  expect(await connecting).toMatchObject({ status: 'disconnected' })
  await client.authorization.stop({ serverId })
  const again = client.servers.connect({ id }).catch((error: unknown) => error)
  await isHeld()
  await host.close()
  await again
})

it('takes a pasted address, and settings that are kept as secrets', async () => {
  const waiting = Promise.withResolvers<string>()
  const { client, id, reaches, store } = await scene((href) => {
    waiting.resolve(href)
    return Promise.reject(new Error('no browser here'))
  })
  const serverId = id
  const settings = {
    clientId: 'by-hand',
    clientSecret: { state: 'new' as const, value: 'hand-secret' },
    scopes: ['mcp'],
  }
  expect(await client.authorization.saveSettings({ serverId, settings })).toEqual({
    clientId: 'by-hand',
    clientSecret: { state: 'kept' },
    scopes: ['mcp'],
  })
  await client.authorization.start({ serverId })
  const page = await waiting.promise
  const state = await until(
    () => client.authorization.state({ serverId }),
    ({ waitingFor }) => waitingFor === 'browser',
  )
  expect(state).toMatchObject({ authorizationUrl: page, clientId: 'by-hand' })
  const reply = await fetch(page, { redirect: 'manual' })
  await expect(client.authorization.pasteCallback({ serverId, url: 'nonsense' })).rejects.toMatchObject({
    code: 'REFUSED',
  })
  await client.authorization.pasteCallback({ serverId, url: reply.headers.get('location') ?? '' })
  expect(await reaches('authorized', 'failed')).toMatchObject({
    status: 'authorized',
    clientKind: 'pre-registered',
  })
  const kept = { ...settings, clientSecret: { state: 'kept' as const } }
  await client.authorization.saveSettings({ serverId, settings: kept })
  expect(await client.authorization.state({ serverId })).toMatchObject({ status: 'authorized' })
  expect(store.text()).toContain('hand-secret')
  // Other settings forget what was got with these, also for those who look meanwhile.
  let isSaved = false
  const saving = client.authorization.saveSettings({ serverId, settings: { scopes: ['mcp'] } })
  void saving.then(() => (isSaved = true))
  await until(
    () => client.authorization.steps({ serverId }),
    () => isSaved,
  )
  await saving
  expect(await client.authorization.state({ serverId })).toMatchObject({ status: 'none' })
  await client.servers.remove({ id })
  expect(store.text()).not.toContain('hand-secret')
  expect(store.text()).not.toContain('oauth')
})

it('gets a token by a grant that is set, without the user', async () => {
  const authority = await TestAuthority.start({
    token: ({ headers, body }) => {
      const isKnown =
        headers.authorization === `Basic ${Buffer.from('machine:machine-secret').toString('base64')}`
      const isAsked = new URLSearchParams(body).get('grant_type') === 'client_credentials'
      return Promise.resolve(
        isKnown && isAsked
          ? { status: 200, body: { access_token: 'machine-token', token_type: 'Bearer' } }
          : { status: 400, body: { error: 'invalid_client' } },
      )
    },
  })
  const resource = await TestResource.start([authority])
  closing.push(
    () => authority.close(),
    () => resource.close(),
  )
  const made = await scene()
  const { client, opened, store } = made
  const target = { transport: 'http' as const, url: resource.url, headers: [] }
  const { id: serverId } = await made.addApproved({ name: 'machine', target })
  const settings = {
    grant: {
      kind: 'client-credentials' as const,
      clientId: 'machine',
      authentication: { method: 'secret' as const },
    },
    grantSecrets: { client_secret: { state: 'new' as const, value: 'machine-secret' } },
  }
  const kept = { ...settings, grantSecrets: { client_secret: { state: 'kept' } } }
  expect(await client.authorization.saveSettings({ serverId, settings })).toEqual(kept)
  await client.servers.connect({ id: serverId })
  expect(await client.authorization.state({ serverId })).toMatchObject({
    status: 'authorized',
    clientKind: 'grant',
    clientId: 'machine',
  })
  expect(JSON.stringify(await client.authorization.steps({ serverId }))).not.toMatch(/machine-(token|secret)/)
  expect(opened).toEqual([])
  await client.servers.remove({ id: serverId })
  expect(store.text()).not.toMatch(/machine-(token|secret)/)
})

it('has no part in servers with a token of their own, and none before they are approved', async () => {
  const made = await scene()
  const { client, url, opened } = made
  const target = { transport: 'http' as const, url, headers: [] }
  const own = await made.addApproved({ name: 'own', target, bearerToken: 'not-a-good-one' })
  expect(await client.servers.connect({ id: own.id })).toMatchObject({
    failure: { code: 'unauthorized', httpStatus: 401 },
  })
  await expect(client.authorization.start({ serverId: own.id })).rejects.toMatchObject({
    code: 'INVALID_ENTRY',
    message: expect.stringContaining('has a bearer token') as unknown,
  })
  const { id } = await client.servers.add({ draft: { name: 'new', target }, origin: 'user' })
  await expect(client.authorization.start({ serverId: id })).rejects.toMatchObject({ code: 'NOT_APPROVED' })
  expect(opened).toEqual([])
})
