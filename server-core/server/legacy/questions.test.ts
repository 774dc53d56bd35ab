import { afterEach, describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import { Registry } from '../../registry/registry.ts'
import { envelope, serveRegistry, type RawClient } from '../raw-client.test-support.ts'

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const
const ALL = {
  roots: { listChanged: true },
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
}

function asking(): Registry {
  const registry = new Registry()
  registry.addTool({
    name: 'form',
    run: async (_args, ctx) => {
      const given = await ctx.elicit('Which?', {
        type: 'object',
        properties: {
          colour: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }, { const: 'g' }], default: 'r' },
          sure: { type: 'boolean', default: true },
        },
      })
      return JSON.stringify(given)
    },
  })
  registry.addTool({
    name: 'several',
    run: async (_args, ctx) => {
      const schema = {
        type: 'object',
        properties: { many: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } } },
      }
      return JSON.stringify(await ctx.elicit('Which?', schema))
    },
  })
  registry.addTool({
    name: 'visit',
    run: async (_args, ctx) => {
      await ctx.elicitUrl('Sign in.', 'https://example.com/sign-in')
      return 'agreed'
    },
  })
  registry.addTool({
    name: 'sample',
    run: async (_args, ctx) => {
      const { text } = await ctx.sample(
        [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is this?' },
              { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
            ],
          },
        ],
        { includeContext: 'thisServer' },
      )
      return text
    },
  })
  registry.addTool({
    name: 'sample-tools',
    run: async (_args, ctx) => {
      const tool = { name: 'add', inputSchema: { type: 'object' } }
      return (await ctx.sample('Add.', { tools: [tool], toolChoice: { mode: 'auto' } })).text
    },
  })
  registry.addTool({
    name: 'watch',
    run: async (_args, ctx) => {
      const lists = [
        await ctx.roots(),
        await ctx.roots({ afterChange: true }),
        await ctx.roots({ afterChange: true }),
      ]
      return lists.map((roots) => roots.map(({ uri }) => uri).join(' ')).join(', ')
    },
  })
  registry.addTool({
    name: 'visit-fully',
    run: async (_args, ctx) => {
      await ctx.elicitUrl('Sign in.', 'https://example.com/sign-in', { key: 'sign-in' })
      ctx.urlCompleted('nothing')
      ctx.urlCompleted('sign-in')
      ctx.urlCompleted('sign-in')
      return 'signed in'
    },
  })
  registry.addTool({
    name: 'roots',
    run: async (_args, ctx) => (await ctx.roots()).map(({ uri }) => uri).join(' '),
  })
  return registry
}

const ANSWERS: Readonly<Record<string, JsonObject>> = {
  'elicitation/create': { action: 'accept', content: { colour: 'g', sure: false } },
  'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'a sound' }, model: 'm' },
  'roots/list': { roots: [{ uri: 'file:///home' }] },
}

async function connect(version: string, capabilities: JsonObject = ALL): Promise<RawClient> {
  const { client } = await serveRegistry(asking())
  client.answer = ({ method }) => ({ result: ANSWERS[String(method)] ?? {} })
  await client.initialize(capabilities, version)
  return client
}

async function call(client: RawClient, name: string) {
  const { result, error } = await client.request('tools/call', { name })
  const content = result?.['content'] as { text: string }[] | undefined
  return { isError: result?.['isError'] === true, text: content?.[0]?.text ?? error?.message ?? '' }
}

const asked = (client: RawClient) => client.messages.filter((each) => 'method' in each && 'id' in each)

/** Resolves when a question that cannot be asked was refused: what was asked before it has been sent by then. */
async function refusedQuestion(client: RawClient): Promise<void> {
  expect(await call(client, 'visit')).toMatchObject({ isError: true })
}

afterEach(() => {
  vi.useRealTimers()
})

describe.each(VERSIONS)('questions of a session of %s', (version) => {
  it('ask for a form in the words of the revision, or say that it has none', async () => {
    const client = await connect(version)
    const answer = await call(client, 'form')
    if (version <= '2025-03-26') {
      expect(answer).toMatchObject({
        isError: true,
        text: expect.stringContaining(`${version} has no elicitation`),
      })
      expect(asked(client)).toEqual([])
      return
    }
    expect(answer).toEqual({ isError: false, text: '{"colour":"g","sure":false}' })
    const titled = { type: 'string', oneOf: [{ const: 'r', title: 'Red' }, { const: 'g' }], default: 'r' }
    const named = { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'g'] }
    expect(asked(client)[0]?.['params']).toEqual({
      ...(version === '2025-11-25' ? { mode: 'form' } : {}),
      message: 'Which?',
      requestedSchema: {
        type: 'object',
        properties: {
          colour: version === '2025-11-25' ? titled : named,
          sure: { type: 'boolean', default: true },
        },
      },
    })
  })

  it('ask for several of a choice where the revision can, and name the field where it cannot', async () => {
    const client = await connect(version)
    client.answer = () => ({ result: { action: 'accept', content: { many: ['b'] } } })
    const answer = await call(client, 'several')
    if (version === '2025-11-25') expect(answer).toEqual({ isError: false, text: '{"many":["b"]}' })
    else {
      expect(answer.isError).toBe(true)
      expect(answer.text).toContain(version === '2025-06-18' ? '"many"' : 'no elicitation')
      expect(asked(client)).toEqual([])
    }
  })

  it('ask to open a page under an id, or give the link in the error', async () => {
    const client = await connect(version)
    const answer = await call(client, 'visit')
    if (version === '2025-11-25') {
      expect(answer.text).toBe('agreed')
      expect(asked(client)[0]?.['params']).toEqual({
        mode: 'url',
        message: 'Sign in.',
        url: 'https://example.com/sign-in',
        elicitationId: expect.stringMatching(/.{16}/),
      })
    } else {
      expect(answer).toMatchObject({
        isError: true,
        text: expect.stringContaining('https://example.com/sign-in'),
      })
      expect(asked(client)).toEqual([])
    }
  })

  it('sample one block a message where messages hold one, in kinds that are known', async () => {
    const client = await connect(version)
    expect((await call(client, 'sample')).text).toBe('a sound')
    const params = asked(client)[0]?.['params'] as JsonObject
    const { messages, includeContext } = params
    const blocks = (messages as { role: string; content: JsonObject | JsonObject[] }[]).map(
      ({ content }) => content,
    )
    const kinds = blocks.map((content) =>
      Array.isArray(content) ? content.map(({ type }) => type) : content['type'],
    )
    expect(kinds).toEqual(
      version === '2025-11-25' ? [['text', 'audio']] : ['text', version === '2024-11-05' ? 'text' : 'audio'],
    )
    expect(includeContext).toBe('thisServer')
  })

  it('sample with tools where the revision has them, and say so where it has not', async () => {
    const client = await connect(version)
    const answer = await call(client, 'sample-tools')
    if (version === '2025-11-25')
      expect(asked(client)[0]?.['params']).toMatchObject({ tools: [{ name: 'add' }] })
    else expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(version) })
  })

  it('list the roots', async () => {
    expect((await call(await connect(version), 'roots')).text).toBe('file:///home')
  })

  it('list the roots again each time that the client says they changed', async () => {
    const client = await connect(version)
    let listed = 0
    client.answer = () => ({ result: { roots: [{ uri: `file:///${(listed += 1)}` }] } })
    const change = () => client.send({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' })
    await change()
    const watching = call(client, 'watch')
    await expect.poll(() => asked(client).length).toBe(1)
    await client.request('ping')
    expect(asked(client)).toHaveLength(1)
    await change()
    await expect.poll(() => asked(client).length).toBe(2)
    await change()
    expect((await watching).text).toBe('file:///1, file:///2, file:///3')
  })

  it('tell that what the user was sent to do is done, once, where the revision does', async () => {
    const client = await connect(version)
    await call(client, 'visit-fully')
    const told = client.notifications('notifications/elicitation/complete')
    if (version !== '2025-11-25') expect(told).toEqual([])
    else {
      const question = asked(client)[0]?.['params'] as JsonObject
      expect(told.map(({ params }) => params)).toEqual([{ elicitationId: question['elicitationId'] }])
    }
  })

  it('never go to a client that declares nothing', async () => {
    const client = await connect(version, {})
    for (const name of ['form', 'visit', 'sample', 'sample-tools', 'roots']) {
      expect([name, (await call(client, name)).isError]).toEqual([name, true])
    }
    expect(asked(client)).toEqual([])
  })
})

describe('questions of a legacy session', () => {
  it('leave out context that the client does not declare, and need its tools', async () => {
    const client = await connect('2025-11-25', { sampling: {} })
    await call(client, 'sample')
    expect(asked(client)[0]?.['params']).not.toHaveProperty('includeContext')
    expect((await call(client, 'sample-tools')).text).toContain('"sampling.tools"')
  })

  it('wait for no change of roots that the client would not tell', async () => {
    const client = await connect('2025-11-25', { roots: {} })
    expect(await call(client, 'watch')).toMatchObject({
      isError: true,
      text: expect.stringContaining('"roots.listChanged"'),
    })
    const { client: modern } = await serveRegistry(asking())
    const meta = envelope({ roots: { listChanged: true } })
    const first = await modern.request('tools/call', { name: 'watch', _meta: meta })
    const retry = {
      name: 'watch',
      inputResponses: { q1: { roots: [] } },
      requestState: first.result?.['requestState'],
      _meta: meta,
    }
    expect((await modern.request('tools/call', retry)).error).toMatchObject({
      code: -32021,
      message: expect.stringContaining('cannot be waited for'),
    })
  })

  it('stop waiting for a change of roots when the call is cancelled', async () => {
    const client = await connect('2025-11-25')
    void client.request('tools/call', { name: 'watch' }, 'c')
    await expect.poll(() => asked(client).length).toBe(1)
    await client.request('ping')
    await client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'c' } })
    await client.send({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' })
    await client.request('ping')
    expect(asked(client)).toHaveLength(1)
  })

  it('wait until the client is ready', async () => {
    const { client } = await serveRegistry(asking())
    client.answer = ({ method }) => ({ result: ANSWERS[String(method)] ?? {} })
    await client.request('initialize', { protocolVersion: '2025-11-25', capabilities: { roots: {} } })
    const early = client.request('tools/call', { name: 'roots' })
    await refusedQuestion(client)
    expect(asked(client)).toEqual([])
    await client.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect((await early).result).toMatchObject({ content: [{ text: 'file:///home' }] })
  })

  it('are taken back when the call that asked is cancelled, and not sent at all if they were still held', async () => {
    const { client } = await serveRegistry(asking())
    await client.initialize(ALL)
    void client.request('tools/call', { name: 'roots' }, 'c')
    const question = await client.seen(({ method }) => method === 'roots/list')
    await client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'c' } })
    const cancelled = await client.seen(({ method }) => method === 'notifications/cancelled')
    expect(cancelled['params']).toEqual({ requestId: question['id'] })
    // A late answer, and one to a question that was never asked, change nothing.
    await client.send({ jsonrpc: '2.0', id: question['id'], result: { roots: [] } })
    await client.send({ jsonrpc: '2.0', id: 'server-99', result: {} })
    expect(await client.request('ping')).toMatchObject({ result: {} })

    const { client: slow } = await serveRegistry(asking())
    await slow.request('initialize', { protocolVersion: '2025-11-25', capabilities: { roots: {} } })
    void slow.request('tools/call', { name: 'roots' }, 'c')
    await refusedQuestion(slow)
    await slow.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'c' } })
    await slow.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    await slow.request('ping')
    expect(slow.messages.filter(({ method }) => method !== undefined)).toEqual([])
  })

  it('are taken back when nobody answers in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { client } = await serveRegistry(asking())
    await client.initialize(ALL)
    const answer = call(client, 'roots')
    const question = await client.seen(({ method }) => method === 'roots/list')
    vi.advanceTimersByTime(600_000)
    expect(await answer).toMatchObject({ isError: true, text: expect.stringContaining('roots/list') })
    expect(client.notifications('notifications/cancelled')[0]?.['params']).toEqual({
      requestId: question['id'],
    })
  })

  it('leave pings answered both ways', async () => {
    const { client } = await serveRegistry(asking())
    await client.initialize(ALL)
    const call = client.request('tools/call', { name: 'roots' })
    const question = await client.seen(({ method }) => method === 'roots/list')
    expect(await client.request('ping')).toMatchObject({ result: {} })
    await client.send({ jsonrpc: '2.0', id: question['id'], result: { roots: [{ uri: 'file:///a' }] } })
    expect((await call).result).toMatchObject({ content: [{ text: 'file:///a' }] })
  })
})
