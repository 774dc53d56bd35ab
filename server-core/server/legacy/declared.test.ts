import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { Registry } from '../../registry/registry.ts'
import { exchange } from '../interop/http-raw.test-support.ts'
import { serve } from '../interop/listening.test-support.ts'
import { serveRegistry } from '../raw-client.test-support.ts'

const RESOURCES = ['list', 'templates/list', 'read', 'subscribe', 'unsubscribe'].map(
  (it) => `resources/${it}`,
)
const UNDECLARED = [...RESOURCES, 'prompts/list', 'prompts/get', 'completion/complete']
const PARAMS = {
  uri: 'note://1',
  name: 'greet',
  ref: { type: 'ref/prompt', name: 'greet' },
  argument: { name: 'who', value: '' },
}
const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']

function toolsOnly(): Registry {
  const registry = new Registry()
  registry.addTool({ name: 'one', run: () => '1' })
  return registry
}

describe.each(REVISIONS)('a session of %s', (revision) => {
  it('knows no method whose capability was not declared', async () => {
    const registry = toolsOnly()
    const { client } = await serveRegistry(registry)
    await client.initialize({}, revision)
    // What comes later is not declared to this client either.
    registry.addPrompt({ name: 'greet', arguments: [{ name: 'who' }], get: () => 'Hello' })
    registry.addResource({ uri: 'note://1', name: 'one', read: '1' })
    const answers = await Promise.all(UNDECLARED.map((method) => client.request(method, PARAMS)))
    const codes = answers.map(({ error }) => error?.code)
    // Before there is a capability for it, completion belongs to the protocol itself.
    const last = revision === '2024-11-05' ? undefined : -32601
    expect(codes).toEqual([...UNDECLARED.slice(1).map(() => -32601), last])
    expect((await client.request('tools/list')).result).toHaveProperty('tools')
    expect((await client.request('logging/setLevel', { level: 'info' })).result).toEqual({})
  })

  it('does not tell updates of resources that were not declared', async () => {
    const registry = toolsOnly()
    registry.addTool({
      name: 'touch',
      run: (_args, ctx) => {
        ctx.changed({ uri: 'note://1' })
      },
    })
    const { client } = await serveRegistry(registry)
    await client.initialize({}, revision)
    await client.request('resources/subscribe', { uri: 'note://1' })
    await client.request('tools/call', { name: 'touch' })
    registry.addTool({ name: 'new', run: () => 'new' })
    await client.seen(({ method }) => method === 'notifications/tools/list_changed')
    expect(client.notifications('notifications/resources/updated')).toEqual([])
  })

  it('has no log level where nothing may log', async () => {
    const { client } = await serveRegistry(new Registry())
    await client.initialize({}, revision)
    const answer = await client.request('logging/setLevel', { level: 'info' })
    expect(answer.error?.code).toBe(-32601)
  })

  it('answers what it serves itself at once, however much is in flight', async () => {
    const registry = new Registry()
    const gate = Promise.withResolvers<string>()
    registry.addTool({ name: 'gated', run: () => gate.promise })
    const { client } = await serveRegistry(registry, { limits: { ...DEFAULT_LIMITS, inFlight: 1 } })
    await client.initialize({}, revision)
    const call = client.request('tools/call', { name: 'gated' })
    expect((await client.request('ping')).result).toEqual({})
    expect((await client.request('logging/setLevel', { level: 'info' })).result).toEqual({})
    expect((await client.request('tools/list')).error).toMatchObject({ data: { limit: 'inFlight' } })
    gate.resolve('opened')
    expect(await call).toHaveProperty('result')
  })
})

describe.each(REVISIONS)('a request of %s without a session', (revision) => {
  it('finds no method whose capability is not declared', async () => {
    const { url } = await serve(toolsOnly(), { sessions: 'none' })
    const codes = []
    for (const method of UNDECLARED) {
      const headers = { 'mcp-protocol-version': revision }
      const body = { jsonrpc: '2.0', id: 1, method, params: PARAMS }
      const { error } = (await (await exchange(url, { headers, body })).body()) as {
        error: { code: number }
      }
      codes.push(error.code)
    }
    const last = revision === '2024-11-05' ? -32602 : -32601
    expect(codes).toEqual([...UNDECLARED.slice(1).map(() => -32601), last])
  })
})

it('has no methods of tasks but those of its revision', async () => {
  const registry = new Registry()
  registry.addTool({ name: 'long', taskSupport: 'optional', run: () => '1' })
  const { client } = await serveRegistry(registry)
  expect((await client.initialize()).result?.['capabilities']).toHaveProperty('tasks')
  for (const method of ['tasks/update', 'tasks/', 'tasks/toString', 'tasks/get/x']) {
    expect([method, (await client.request(method)).error?.code]).toEqual([method, -32601])
  }
  expect((await client.request('tasks/list')).result).toEqual({ tasks: [] })
})

it('names the revisions that a handshake may open, and no other', async () => {
  const { client } = await serveRegistry(toolsOnly())
  const { error } = await client.request('initialize', { capabilities: {} })
  expect(error?.code).toBe(-32602)
  for (const revision of REVISIONS) expect(error?.message).toContain(revision)
  expect(error?.message).not.toContain('2026')
  const { url } = await serve(toolsOnly(), { sessions: 'none' })
  const headers = { 'mcp-protocol-version': '1999-01-01' }
  const response = await exchange(url, { headers, body: { jsonrpc: '2.0', id: 1, method: 'ping' } })
  const said = JSON.stringify(await response.body())
  expect(said).toContain('2025-11-25')
  expect(said).not.toContain('2026')
})
