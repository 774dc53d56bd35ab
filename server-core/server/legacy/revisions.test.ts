import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import { Registry } from '../../registry/registry.ts'
import { serveRegistry, type Served } from '../raw-client.test-support.ts'

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const
type Version = (typeof VERSIONS)[number]
type Per<T> = Readonly<Record<Version, T>>

/** The same for revisions up to that one, something else from the next on. */
const until = <T>(last: Version, before: T, after: T): Per<T> =>
  Object.fromEntries(VERSIONS.map((version) => [version, version <= last ? before : after])) as Per<T>

const ICONS = [{ src: 'https://example.com/i.png' }]

function everything(): Registry {
  const registry = new Registry()
  registry.addTool({
    name: 'tool',
    title: 'Tool',
    icons: ICONS,
    meta: { 'example.com/x': 1 },
    annotations: { readOnlyHint: true },
    output: { type: 'array', items: { type: 'number' } },
    run: () => [1, 2],
  })
  registry.addTool({
    name: 'blocks',
    run: () => [
      { type: 'text', text: 'hello' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'note://1', name: 'one', description: 'The first.' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ],
  })
  registry.addTool({
    name: 'object',
    output: { type: 'object', properties: { n: { type: 'number' } } },
    run: () => ({ n: 1 }),
  })
  registry.addTool({
    name: 'strict',
    input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    run: () => 'fine',
  })
  registry.addTool({
    name: 'told',
    run: (_args, ctx) => {
      ctx.progress(1, 2, 'half')
      return 'done'
    },
  })
  registry.addPrompt({
    name: 'prompt',
    title: 'Prompt',
    icons: ICONS,
    arguments: [{ name: 'who', title: 'Who' }],
    complete: { who: ['Ada'] },
    get: () => [{ role: 'user', content: { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' } }],
  })
  registry.addResource({ uri: 'note://1', name: 'one', title: 'One', icons: ICONS, read: 'text' })
  registry.addResourceTemplate({
    uriTemplate: 'note://{id}/text',
    name: 'any',
    title: 'Any',
    icons: ICONS,
    read: () => 'x',
  })
  return registry
}

async function session(
  version: string,
  capabilities: JsonObject = {},
  registry = everything(),
): Promise<Served> {
  const info = { name: 'test', version: '1', title: 'Test', websiteUrl: 'https://example.com', icons: ICONS }
  const served = await serveRegistry(registry, { info })
  await served.client.initialize(capabilities, version)
  return served
}

async function call({ client }: Served, name: string, params: JsonObject = {}) {
  const reply = await client.request('tools/call', { name, ...params })
  return reply.result ?? { error: reply.error }
}

describe.each(VERSIONS)('a session of %s', (version) => {
  const of = <T>(per: Per<T>): T => per[version]

  it('echoes the version, and declares and names what that revision knows', async () => {
    const { client } = await serveRegistry(everything(), {
      info: { name: 'test', version: '1', title: 'Test', websiteUrl: 'https://example.com', icons: ICONS },
    })
    const { result } = await client.initialize({}, version)
    expect(result).toMatchObject({ protocolVersion: version })
    expect(Object.keys(result?.['capabilities'] as JsonObject).sort()).toEqual(
      [
        ...(version === '2024-11-05' ? [] : ['completions']),
        'logging',
        'prompts',
        'resources',
        'tools',
      ].sort(),
    )
    expect(Object.keys(result?.['serverInfo'] as JsonObject).sort()).toEqual(
      of({
        ...until('2025-03-26', ['name', 'version'], ['name', 'title', 'version']),
        '2025-11-25': ['icons', 'name', 'title', 'version', 'websiteUrl'],
      }),
    )
  })

  it('lists what that revision knows of tools, prompts, resources and templates', async () => {
    const { client } = await session(version)
    const first = async (method: string, member: string) => {
      const { result } = await client.request(method)
      const listed = result?.[member] as JsonObject[]
      return listed[0] ?? {}
    }
    const newer = until<readonly string[]>('2025-03-26', [], ['title'])
    const icons = until<readonly string[]>('2025-06-18', [], ['icons'])
    const tool = await first('tools/list', 'tools')
    expect(Object.keys(tool).sort()).toEqual(
      [
        ...of(until('2024-11-05', [], ['annotations'])),
        ...of(until('2025-03-26', [], ['_meta', 'outputSchema'])),
        ...of(newer),
        ...of(icons),
        'inputSchema',
        'name',
      ].sort(),
    )
    // Where a tool has no title of its own, its annotations hold it.
    if (version === '2025-03-26') expect(tool['annotations']).toEqual({ title: 'Tool', readOnlyHint: true })
    const prompt = await first('prompts/list', 'prompts')
    expect(Object.keys(prompt).sort()).toEqual([...of(newer), ...of(icons), 'arguments', 'name'].sort())
    expect(prompt['arguments']).toEqual([
      of(until('2025-03-26', { name: 'who' }, { name: 'who', title: 'Who' })),
    ])
    expect(Object.keys(await first('resources/list', 'resources')).sort()).toEqual(
      [...of(newer), ...of(icons), 'mimeType', 'name', 'uri'].sort(),
    )
    expect(Object.keys(await first('resources/templates/list', 'resourceTemplates')).sort()).toEqual(
      [...of(newer), ...of(icons), 'name', 'uriTemplate'].sort(),
    )
  })

  it('carries structured results as text alone, or as an object that wraps other values', async () => {
    const served = await session(version)
    expect(await call(served, 'object')).toEqual(
      of(
        until<JsonObject>(
          '2025-03-26',
          { content: [{ type: 'text', text: '{"n":1}' }] },
          { content: [{ type: 'text', text: '{"n":1}' }], structuredContent: { n: 1 } },
        ),
      ),
    )
    expect((await call(served, 'tool'))['structuredContent']).toEqual(
      of(until<JsonObject | undefined>('2025-03-26', undefined, { result: [1, 2] })),
    )
    const { result } = await served.client.request('tools/list')
    const tools = result?.['tools'] as JsonObject[]
    expect(tools[0]?.['outputSchema']).toEqual(
      of(
        until<JsonObject | undefined>('2025-03-26', undefined, {
          type: 'object',
          properties: { result: { type: 'array', items: { type: 'number' } } },
          required: ['result'],
        }),
      ),
    )
  })

  it('tells blocks that the revision does not know as text', async () => {
    const served = await session(version)
    const content = (await call(served, 'blocks'))['content'] as JsonObject[]
    expect(content.map(({ type }) => type)).toEqual([
      'text',
      of(until('2024-11-05', 'text', 'audio')),
      of(until('2025-03-26', 'text', 'resource_link')),
      'image',
    ])
    if (version === '2024-11-05') expect(content[1]?.['text']).toContain('audio/wav')
    if (version <= '2025-03-26') expect(content[2]?.['text']).toBe('one: note://1\nThe first.')
    const { result } = await served.client.request('prompts/get', { name: 'prompt' })
    expect(result).toMatchObject({
      messages: [{ content: { type: of(until('2024-11-05', 'text', 'audio')) } }],
    })
  })

  it('tells arguments that do not fit as that revision does, and unknown resources by its code', async () => {
    const served = await session(version)
    const wrong = await call(served, 'strict', { arguments: { n: 'x' } })
    expect(wrong).toMatchObject(
      of(until<JsonObject>('2025-06-18', { error: { code: -32602 } }, { isError: true })),
    )
    expect(JSON.stringify(wrong)).toContain('strict')
    expect(await served.client.request('resources/read', { uri: 'note://none' })).toMatchObject({
      error: { code: -32002, data: { uri: 'note://none' } },
    })
  })

  it('tells progress with a message where the revision has one', async () => {
    const served = await session(version)
    await call(served, 'told', { _meta: { progressToken: 't' } })
    expect(served.client.notifications('notifications/progress')[0]?.['params']).toEqual({
      progressToken: 't',
      progress: 1,
      total: 2,
      ...of(until<JsonObject>('2024-11-05', {}, { message: 'half' })),
    })
  })

  it('completes, declared or not', async () => {
    const { client } = await session(version)
    const ref = { type: 'ref/prompt', name: 'prompt' }
    expect(
      await client.request('completion/complete', { ref, argument: { name: 'who', value: '' } }),
    ).toMatchObject({ result: { completion: { values: ['Ada'] } } })
  })

  it('names no id of a message that it cannot read, in the revision’s own way', async () => {
    const { client } = await session(version)
    await client.send({ jsonrpc: '2.0', id: 1.5, method: 'ping' })
    const refusal = await client.seen((message) => 'error' in message)
    expect('id' in refusal).toBe(of(until('2025-06-18', true, false)))
    expect(refusal['id'] ?? null).toBeNull()
  })
})

describe('version negotiation', () => {
  it('takes the pre-release for the first revision, and anything unknown for the newest of its own', async () => {
    for (const [offered, agreed] of [
      ['2024-10-07', '2024-11-05'],
      ['1900-01-01', '2025-11-25'],
      ['2026-07-28', '2025-11-25'],
      ['2099-01-01', '2025-11-25'],
    ] as const) {
      const { client } = await serveRegistry(everything())
      expect([offered, (await client.initialize({}, offered)).result?.['protocolVersion']]).toEqual([
        offered,
        agreed,
      ])
    }
  })

  it('offers what it was restricted to', async () => {
    const { client } = await serveRegistry(everything(), { revisions: ['2025-06-18', '2024-11-05'] })
    expect((await client.initialize({}, '2025-11-25')).result?.['protocolVersion']).toBe('2025-06-18')
    expect(await client.request('initialize', { protocolVersion: '2024-11-05' })).toMatchObject({
      error: { code: -32600, message: expect.stringContaining('2025-06-18') },
    })
  })

  it('rejects an invalid list of revisions', async () => {
    await expect(serveRegistry(everything(), { revisions: [] })).rejects.toThrow('2025-06-18')
    await expect(serveRegistry(everything(), { revisions: ['2020-01-01' as never] })).rejects.toThrow(
      '2020-01-01',
    )
  })

  it('names the supported versions to a handshake without one', async () => {
    const { client } = await serveRegistry(everything())
    expect(await client.request('initialize', {})).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('2024-11-05') },
    })
  })
})
