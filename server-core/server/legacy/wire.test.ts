import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import { lintMessage } from '../../protocol/lint/lint-message.ts'
import type { Revision } from '../../protocol/revisions.ts'
import { Registry } from '../../registry/registry.ts'
import { serveRegistry } from '../raw-client.test-support.ts'

const VERSIONS: readonly Revision[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
const ICONS = [{ src: 'https://example.com/i.png' }]
const ALL = { roots: { listChanged: true }, sampling: { tools: {} }, elicitation: { form: {}, url: {} } }

const ANSWERS: Readonly<Record<string, JsonObject>> = {
  'elicitation/create': { action: 'accept', content: { colour: 'g' } },
  'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'a sound' }, model: 'm' },
  'roots/list': { roots: [{ uri: 'file:///home' }] },
}

/** Uses everything that a server has. */
function everything(): Registry {
  const registry = new Registry()
  registry.addTool({
    name: 'busy',
    title: 'Busy',
    icons: ICONS,
    meta: { 'example.com/x': 1 },
    annotations: { title: 'Busy', readOnlyHint: true },
    output: { type: 'array', items: { type: 'number' } },
    run: async (_args, ctx) => {
      ctx.progress(1, 2, 'half')
      ctx.log.error({ a: 1 }, 'part')
      ctx.changed({ uri: 'note://1' })
      const choice = { type: 'string', oneOf: [{ const: 'g', title: 'Green' }], default: 'g' }
      const ignored = () => undefined
      await ctx.elicit('Which?', { type: 'object', properties: { colour: choice } }).catch(ignored)
      await ctx.elicitUrl('Open.', 'https://example.com', { key: 'u' }).catch(ignored)
      ctx.urlCompleted('u')
      const content = [
        { type: 'text', text: 'x' },
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      ]
      await ctx.sample([{ role: 'user', content }]).catch(ignored)
      const tools = [{ name: 'add', inputSchema: { type: 'object' } }]
      await ctx.sample('x', { tools, toolChoice: { mode: 'none' } }).catch(ignored)
      await ctx.roots()
      return [1]
    },
  })
  registry.addTool({
    name: 'blocks',
    input: { type: 'object', properties: { n: { type: 'number' } } },
    run: () => [
      { type: 'text', text: 'hello', annotations: { audience: ['user'], priority: 0.5 } },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'note://1', name: 'one' },
      { type: 'resource', resource: { uri: 'note://1', text: 'text' } },
    ],
  })
  registry.addPrompt({
    name: 'prompt',
    title: 'Prompt',
    icons: ICONS,
    arguments: [{ name: 'who', title: 'Who' }],
    complete: { who: ['Ada'] },
    get: () => [{ role: 'user', content: { type: 'resource_link', uri: 'note://1', name: 'one' } }],
  })
  registry.addResource({ uri: 'note://1', name: 'one', title: 'One', icons: ICONS, read: 'text' })
  registry.addResourceTemplate({
    uriTemplate: 'bytes://{id}',
    name: 'any',
    title: 'Any',
    read: () => new Uint8Array([1]),
  })
  return registry
}

const CALLS: readonly (readonly [string, JsonObject?])[] = [
  ['ping'],
  ['tools/list'],
  ['resources/list'],
  ['resources/templates/list'],
  ['prompts/list'],
  ['resources/subscribe', { uri: 'note://1' }],
  ['logging/setLevel', { level: 'debug' }],
  ['tools/call', { name: 'busy', _meta: { progressToken: 't' } }],
  ['tools/call', { name: 'blocks' }],
  ['tools/call', { name: 'blocks', arguments: { n: 'x' } }],
  ['tools/call', { name: 'none' }],
  ['prompts/get', { name: 'prompt' }],
  ['resources/read', { uri: 'note://1' }],
  ['resources/read', { uri: 'bytes://1' }],
  ['resources/read', { uri: 'note://none' }],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'prompt' }, argument: { name: 'who', value: '' } },
  ],
  ['resources/unsubscribe', { uri: 'note://1' }],
  ['nonsense'],
]

describe.each(VERSIONS)('what a session of %s sends', (version) => {
  it('breaks no rule of that revision', async () => {
    const registry = everything()
    const info = {
      name: 'test',
      version: '1',
      title: 'Test',
      icons: ICONS,
      websiteUrl: 'https://example.com',
    }
    const { client } = await serveRegistry(registry, { info, instructions: 'be kind' })
    client.answer = ({ method }) => ({ result: ANSWERS[String(method)] ?? {} })
    const answers = new Map<unknown, string>()
    const ask = async (method: string, params?: JsonObject) => {
      const reply = await client.request(method, params)
      answers.set(reply.id, method)
      return reply
    }
    const opened = await client.initialize(ALL, version)
    answers.set(opened.id, 'initialize')
    const refused: string[] = []
    for (const [method, params] of CALLS) {
      // A change is notified once, a moment later.
      if (method === 'resources/unsubscribe') {
        await client.seen((message) => message['method'] === 'notifications/resources/updated')
      }
      if ((await ask(method, params)).error !== undefined) refused.push(method)
    }
    registry.addTool({ name: 'new', run: () => '' })
    await client.seen(({ method }) => method === 'notifications/tools/list_changed')

    const findings = client.messages.flatMap((message) => {
      const answered = answers.get(message['id'])
      const context = answered === undefined || 'method' in message ? {} : { answers: answered }
      const found = lintMessage(message, { direction: 'server-to-client', revision: version, ...context })
      return found.map((finding) => ({ ...finding, of: answered ?? message['method'] }))
    })
    expect(findings).toEqual([])
    expect(client.messages.length).toBeGreaterThan(CALLS.length)
    expect(refused).toEqual([
      ...(version <= '2025-06-18' ? ['tools/call'] : []),
      'tools/call',
      'resources/read',
      'nonsense',
    ])
  })
})
