import { describe, expect, it } from 'vitest'
import { connect } from '../client/connect.ts'
import { PeerError } from '../client/errors.ts'
import type { Responders } from '../client/responders.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { lintMessage } from '../protocol/lint/lint-message.ts'
import type { Finding } from '../protocol/lint/report.ts'
import { MetaKey } from '../protocol/meta-keys.ts'
import { REVISIONS, type RevisionRow } from '../protocol/revisions.ts'
import { Registry } from '../registry/registry.ts'
import type { ClientTransport } from '../ports/contract.ts'
import { memoryPair } from '../transports/memory/memory-link.ts'
import { createServer } from './server.ts'

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
    run: (_args, ctx) => {
      ctx.progress(1, 2, 'half')
      ctx.log.info('so far')
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

const text = (said: string) => ({ type: 'text', text: said })

/** A client that answers everything. */
const RESPONDERS: Responders = {
  elicitation: {
    form: () => Promise.resolve({ action: 'accept', content: { unit: 'c' } }),
    url: () => Promise.resolve({ action: 'accept' }),
  },
  sampling: {
    answer: () => Promise.resolve({ role: 'assistant', content: text('Hi.'), model: 'm' }),
    tools: true,
    context: true,
  },
  roots: () => Promise.resolve({ roots: [{ uri: 'file:///a' }] }),
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
]

/** A transport that keeps what goes through it. */
function recorded(
  transport: ClientTransport,
  record: (message: unknown, direction: Direction) => void,
): ClientTransport {
  return {
    kind: transport.kind,
    start: (receiver) =>
      transport.start({
        invalid: receiver.invalid.bind(receiver),
        requestFailed: receiver.requestFailed.bind(receiver),
        closed: receiver.closed.bind(receiver),
        message: (incoming) => {
          record(incoming.value, 'server-to-client')
          receiver.message(incoming)
        },
      }),
    send: (message, options) => {
      record(message, 'client-to-server')
      return transport.send(message, options)
    },
    sendRaw: (bytes, options) => transport.sendRaw(bytes, options),
    close: () => transport.close(),
    evidence: () => transport.evidence(),
  }
}

type Direction = 'client-to-server' | 'server-to-client'

/** Has everything looked at that our client and our server say to each other; returns what was found. */
async function findings(row: RevisionRow): Promise<readonly Finding[]> {
  const { revision, era } = row
  const server = createServer({ registry: registryOfEverything(), info: { name: 'test', version: '1' } })
  const pair = memoryPair()
  server.attach(pair.server)
  const said: { readonly message: unknown; readonly direction: Direction }[] = []
  const connection = await connect({
    open: () => recorded(pair.client, (message, direction) => said.push({ message, direction })),
    identity: { name: 'patchbay', version: '1' },
    responders: RESPONDERS,
    protocol: revision,
  })
  expect(connection.revision).toBe(revision)
  const isModern = era === 'modern'
  if (!isModern) await connection.request('logging/setLevel', { level: 'debug' })
  await connection.subscribe('note://one')
  const meta = isModern ? { _meta: { [MetaKey.logLevel]: 'debug' } } : {}
  const failed: string[] = []
  for (const [method, params] of CALLS) {
    const options = { onProgress: () => undefined }
    try {
      await connection.request(method, { ...params, ...meta }, options)
    } catch (error) {
      if (!(error instanceof PeerError)) throw error
      failed.push(`${method} ${error.code}`)
    }
  }
  const missing = row.resourceNotFoundCode
  expect(failed).toEqual([
    'tools/call -32602',
    `resources/read ${missing}`,
    'prompts/get -32602',
    'tools/list -32602',
  ])
  await connection.close()
  const methods = new Map(
    said.flatMap(({ message, direction }) =>
      isJsonObject(message) && typeof message['method'] === 'string'
        ? [[keyOf(direction, message['id']), message['method']] as const]
        : [],
    ),
  )
  const found = said.flatMap(({ message, direction }) => {
    const other = direction === 'client-to-server' ? 'server-to-client' : 'client-to-server'
    const answers = isJsonObject(message) ? methods.get(keyOf(other, message['id'])) : undefined
    return lintMessage(message, { revision, direction, ...(answers === undefined ? {} : { answers }) })
  })
  return found.filter(({ severity }) => severity !== 'notice')
}

function keyOf(asker: Direction, id: unknown): string {
  return `${asker} ${JSON.stringify(id)}`
}

describe('what our client and our server say to each other', () => {
  it.each(REVISIONS)('breaks no rule of $revision', async (row) => {
    expect(await findings(row)).toEqual([])
  })
})
