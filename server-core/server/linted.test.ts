import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../protocol/json.ts'
import { lintMessage } from '../protocol/lint/lint-message.ts'
import type { Finding } from '../protocol/lint/report.ts'
import { REVISIONS, type RevisionRow } from '../protocol/revisions.ts'
import { Registry } from '../registry/registry.ts'
import { envelope, serveRegistry } from './raw-client.test-support.ts'

/** Something of everything that a server can say. */
function registryOfEverything(): Registry {
  const registry = new Registry()
  const icons = [{ src: 'https://a.example/icon.png', mimeType: 'image/png', sizes: ['48x48'] }]
  const names = { title: 'A title', description: 'A description', icons, meta: { 'com.example/a': 1 } }
  registry.addTool({
    ...names,
    name: 'blocks',
    annotations: { readOnlyHint: true },
    run: () => ({
      content: [
        { type: 'text', text: 'text' },
        { type: 'image', data: 'AAE=', mimeType: 'image/png' },
        { type: 'audio', data: 'AAE=', mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'note://one', text: 'one' } },
        { type: 'resource_link', uri: 'note://one', name: 'one' },
      ],
    }),
  })
  registry.addTool({
    name: 'list',
    output: { type: 'array', items: { type: 'number' } },
    run: () => [1, 2, 3],
  })
  registry.addTool({
    name: 'object',
    output: { type: 'object', properties: { sum: { type: 'number' } } },
    run: () => ({ sum: 3 }),
  })
  registry.addTool({
    name: 'throws',
    run: () => {
      throw new Error('it went wrong')
    },
  })
  registry.addTool({
    name: 'talks',
    run: async (_args, ctx) => {
      ctx.progress(1, 2, 'half')
      await ctx.log.info('so far')
      return 'said'
    },
  })
  registry.addTool({
    name: 'asks',
    run: async (_args, ctx) => {
      const unit = { type: 'string', oneOf: [{ const: 'c', title: 'Celsius' }] }
      await ctx.elicit('Unit?', { type: 'object', properties: { unit }, required: ['unit'] })
      return 'asked'
    },
  })
  registry.addTool({
    name: 'visits',
    run: async (_args, ctx) => ctx.elicitUrl('Look', 'https://a.example/').then(() => 'seen'),
  })
  registry.addTool({ name: 'samples', run: async (_args, ctx) => (await ctx.sample('Hello?')).text })
  registry.addTool({ name: 'roots', run: async (_args, ctx) => JSON.stringify(await ctx.roots()) })
  registry.addResource({
    ...names,
    uri: 'note://one',
    name: 'one',
    mimeType: 'text/plain',
    read: 'first note',
  })
  registry.addResource({ uri: 'note://binary', name: 'binary', read: () => Uint8Array.of(1, 2, 3) })
  registry.addResourceTemplate({
    ...names,
    uriTemplate: 'note://{id}/text',
    name: 'any',
    read: ({ id }) => `note ${id}`,
  })
  registry.addPrompt({
    ...names,
    name: 'write',
    arguments: [{ name: 'about', title: 'About', required: true }],
    complete: { about: ['cats', 'dogs'] },
    get: ({ about }) => `Write about ${about}.`,
  })
  return registry
}

const CAPABILITIES = {
  roots: { listChanged: true },
  sampling: { context: {}, tools: {} },
  elicitation: { form: {}, url: {} },
}

const ANSWERS: Readonly<Record<string, JsonObject>> = {
  'elicitation/create': { action: 'accept', content: { unit: 'c' } },
  'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'Hi.' }, model: 'm' },
  'roots/list': { roots: [{ uri: 'file:///a' }] },
}

const CALLS: readonly (readonly [string, JsonObject?])[] = [
  ['tools/list'],
  ...['blocks', 'list', 'object', 'throws', 'talks', 'asks', 'visits', 'samples', 'roots', 'nobody'].map(
    (name) => ['tools/call', { name, arguments: {} }] as const,
  ),
  ['resources/list'],
  ['resources/templates/list'],
  ['resources/read', { uri: 'note://one' }],
  ['resources/read', { uri: 'note://binary' }],
  ['resources/read', { uri: 'note://7/text' }],
  ['resources/read', { uri: 'note://nowhere/at/all' }],
  ['prompts/list'],
  ['prompts/get', { name: 'write', arguments: { about: 'cats' } }],
  ['prompts/get', { name: 'nothing' }],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'write' }, argument: { name: 'about', value: 'c' } },
  ],
  ['tools/list', { cursor: 'nonsense' }],
  ['nothing/known'],
]

/** Has every answer to these calls, and everything said on the way, looked at; gives what was found. */
async function findings(row: RevisionRow): Promise<readonly Finding[]> {
  const { client } = await serveRegistry(registryOfEverything())
  const { revision } = row
  const methods = new Map<unknown, string>()
  client.answer = ({ method }) => ({ result: ANSWERS[String(method)] ?? {} })
  const isModern = row.era === 'modern'
  if (isModern) {
    methods.set('d', 'server/discover')
    await client.request('server/discover', { _meta: envelope(CAPABILITIES) }, 'd')
  } else {
    methods.set(1, 'initialize')
    await client.initialize(CAPABILITIES, revision)
    await client.request('logging/setLevel', { level: 'debug' }, 'l')
    await client.request('resources/subscribe', { uri: 'note://one' }, 's')
  }
  for (const [index, [method, params]] of CALLS.entries()) {
    const id = `c${index}`
    methods.set(id, method)
    const meta = isModern
      ? envelope(CAPABILITIES, { progressToken: id, 'io.modelcontextprotocol/logLevel': 'debug' })
      : { progressToken: id }
    await client.request(method, { ...params, _meta: meta }, id)
  }
  const said = client.messages.flatMap((message) => {
    const answers = 'method' in message ? undefined : methods.get(message['id'])
    return lintMessage(message, {
      revision,
      direction: 'server-to-client',
      ...(answers === undefined ? {} : { answers }),
    })
  })
  expect(client.messages.length).toBeGreaterThan(CALLS.length)
  await client.close()
  return said.filter(({ severity }) => severity !== 'notice')
}

describe('what a server says', () => {
  it.each(REVISIONS)('breaks no rule of $revision', async (row) => {
    expect(await findings(row)).toEqual([])
  })
})
