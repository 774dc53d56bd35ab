import { mkdtemp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { connect } from '../client/connect.ts'
import type { Connection } from '../client/connection.ts'
import { ForkProcessStarter } from '../processes/fork-process-starter.ts'
import { createServer } from '../server/server.ts'
import { memoryPair } from '../transports/memory/memory-link.ts'
import type { AnswerParts } from './answer-call.ts'
import { mockEntriesSchema, type MockEntry } from './mock-entry.ts'
import { mockDefect, MockRegistry } from './mock-registry.ts'
import { runAnswers } from './run-answer.ts'

const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

function entries(...given: unknown[]): MockEntry[] {
  return mockEntriesSchema.parse(given)
}

function tool(name: string, answer: object, more: object = {}): unknown {
  return { kind: 'tool', name, answer, ...more }
}

async function serve(given: readonly MockEntry[], parts: AnswerParts = {}) {
  const mocks = new MockRegistry(parts)
  const problems = mocks.set(given)
  const server = createServer({ registry: mocks.view, info: { name: 'by hand', version: '1' } })
  const pair = memoryPair()
  server.attach(pair.server)
  const client = await connect({
    open: () => Promise.resolve(pair.client),
    identity: { name: 'test', version: '1' },
    protocol: '2025-11-25',
  })
  return { client, mocks, problems }
}

async function result(client: Connection, name: string, args: object): Promise<unknown> {
  const { result: given } = await client.request('tools/call', { name, arguments: args })
  return given
}

it('answers tools with fixed and templated results, and checks arguments and results by the drawn schemas', async () => {
  const { client } = await serve(
    entries(
      tool('fixed', { kind: 'fixed', result: { content: [{ type: 'text', text: 'always' }] } }),
      tool(
        'weather',
        { kind: 'template', template: { place: '{{arguments.city}}', days: '{{arguments.days | 3}}' } },
        {
          inputSchema: CITY,
          outputSchema: {
            type: 'object',
            properties: { place: { type: 'string' }, days: { type: 'integer' } },
            required: ['place', 'days'],
          },
        },
      ),
      tool('gone', { kind: 'fixed', result: { isError: true, content: [{ type: 'text', text: 'No.' }] } }),
    ),
  )
  expect(await result(client, 'fixed', { anything: 1 })).toMatchObject({ content: [{ text: 'always' }] })
  expect(await result(client, 'weather', { city: 'Bergen' })).toMatchObject({
    structuredContent: { place: 'Bergen', days: 3 },
  })
  expect(await result(client, 'weather', { city: 7 })).toMatchObject({ isError: true })
  expect(await result(client, 'weather', { city: 'Bergen', days: 'many' })).not.toMatchObject({
    structuredContent: { days: 'many' },
  })
  expect(await result(client, 'gone', {})).toMatchObject({ isError: true, content: [{ text: 'No.' }] })
  await client.close()
})

it('answers with an error of JSON-RPC, and says what a template misses', async () => {
  const { client } = await serve(
    entries(
      tool('busy', { kind: 'error', code: -32050, message: 'busy', data: { again: 5 }, delayMs: 1 }),
      tool('open', { kind: 'template', template: { text: '{{arguments.nowhere}}' } }),
    ),
  )
  await expect(result(client, 'busy', {})).rejects.toMatchObject({
    code: -32050,
    message: 'busy',
    data: { again: 5 },
  })
  expect(await result(client, 'open', {})).toMatchObject({
    isError: true,
    content: [{ text: 'The template cannot be filled in: the call has no arguments.nowhere.' }],
  })
  await client.close()
})

it('serves resources, templates and prompts that were drawn', async () => {
  const { client } = await serve(
    entries(
      {
        kind: 'resource',
        uri: 'demo://motto',
        name: 'motto',
        mimeType: 'text/markdown',
        answer: { kind: 'fixed', result: { text: '# Plug it in' } },
      },
      {
        kind: 'template',
        uriTemplate: 'demo://note/{id}',
        name: 'note',
        answer: { kind: 'template', template: { text: 'note {{variables.id}} at {{uri}}' } },
      },
      {
        kind: 'prompt',
        name: 'greet',
        arguments: [{ name: 'who', required: true }],
        answer: {
          kind: 'template',
          template: {
            messages: [{ role: 'user', content: { type: 'text', text: 'Greet {{arguments.who}}.' } }],
          },
        },
      },
    ),
  )
  const read = async (uri: string) => (await client.request('resources/read', { uri })).result
  expect(await read('demo://motto')).toMatchObject({
    contents: [{ uri: 'demo://motto', mimeType: 'text/markdown', text: '# Plug it in' }],
  })
  expect(await read('demo://note/7')).toMatchObject({ contents: [{ text: 'note 7 at demo://note/7' }] })
  const { result: prompt } = await client.request('prompts/get', { name: 'greet', arguments: { who: 'Ada' } })
  expect(prompt).toMatchObject({ messages: [{ role: 'user', content: { text: 'Greet Ada.' } }] })
  await expect(client.request('prompts/get', { name: 'greet' })).rejects.toMatchObject({ code: -32602 })
  await client.close()
})

it('tells each list once for real changes, and keeps what cannot be served out of the way of the rest', () => {
  const mocks = new MockRegistry({})
  const told: unknown[] = []
  mocks.view.onChange((change) => told.push(change))
  const answer = { kind: 'fixed', result: { text: '1' } }
  expect(mocks.set(entries(tool('a', answer), tool('b', answer)))).toEqual([])
  expect(told.splice(0)).toEqual([{ type: 'list', kind: 'tools' }])
  // Another answer is nothing that a client could see.
  mocks.set(entries(tool('a', { kind: 'fixed', result: { text: '2' } }), tool('b', answer)))
  expect(told).toEqual([])
  const broken = tool('c', answer, { inputSchema: { type: 'array' } })
  const twice = tool('a', answer)
  const problems = mocks.set(entries(tool('a', answer), broken, twice, tool('b', answer, { title: 'B' })))
  expect(problems.map(({ key }) => key).sort()).toEqual(['tool:a', 'tool:c'])
  expect(told).toEqual([{ type: 'list', kind: 'tools' }])
  expect(mocks.view.tools().map(({ name, title }) => [name, title])).toEqual([
    ['a', undefined],
    ['b', 'B'],
  ])
  mocks.set([])
  expect(mocks.view.tools()).toEqual([])
  expect(mockDefect(entries(broken)[0] as MockEntry)).toContain('must be an object schema')
})

it('runs scripts of a trusted workspace in processes of their own, and none outside of it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-mocks-'))
  const outside = await mkdtemp(path.join(tmpdir(), 'patchbay-outside-'))
  await mkdir(path.join(folder, 'tools'))
  await writeFile(
    path.join(folder, 'tools/answer.ts'),
    'export default ({ arguments: given }: { arguments: { city: string } }) => ({ shout: given.city.toUpperCase() })',
  )
  await writeFile(path.join(outside, 'evil.mjs'), 'export default () => "outside"')
  await symlink(path.join(outside, 'evil.mjs'), path.join(folder, 'link.mjs'))
  const run = runAnswers(folder, {
    starter: new ForkProcessStarter(),
    entry: path.join(import.meta.dirname, '../responders/scripts/script-process.ts'),
  })
  const given = entries(
    tool('file', { kind: 'script', file: 'tools/answer.ts' }),
    tool('code', { kind: 'code', code: 'export default ({ arguments: { n } }) => ({ double: n * 2 })' }),
    tool('loop', { kind: 'code', code: 'export default () => { for (;;) {} }', timeoutMs: 300 }),
    tool('link', { kind: 'script', file: 'link.mjs' }),
    tool('up', { kind: 'script', file: '../evil.mjs' }),
  )
  const { client } = await serve(given, { run })
  const [file, code, loop, link, up] = await Promise.all([
    result(client, 'file', { city: 'Bergen' }),
    result(client, 'code', { n: 21 }),
    result(client, 'loop', {}),
    result(client, 'link', {}),
    result(client, 'up', {}),
  ])
  expect(file).toMatchObject({ structuredContent: { shout: 'BERGEN' } })
  expect(code).toMatchObject({ structuredContent: { double: 42 } })
  expect(JSON.stringify(loop)).toContain('gave no answer within 300 ms')
  expect(JSON.stringify(link)).toContain('outside the workspace')
  expect(up).toMatchObject({ isError: true })
  await client.close()
  const untrusted = await serve(given)
  expect(JSON.stringify(await result(untrusted.client, 'code', { n: 1 }))).toContain('trust the workspace')
  await untrusted.client.close()
})
