import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  call,
  connect,
  SDKS,
  serveWorkspace,
  SLOW,
  textOf,
  type Peer,
} from '../workspace-clients.test-support.ts'

const folder = import.meta.dirname
let data = ''
const inSqlite = () => ({ folder, env: { MEMORY_PATH: path.join(data, 'sqlite') } })
const inFiles = () => ({ folder, env: { MEMORY_PATH: path.join(data, 'files'), MEMORY_STORE: 'files' } })
const served = serveWorkspace((temporary) => {
  data = temporary
  return inSqlite()
})

const ways: readonly (readonly [string, () => Promise<Peer>])[] = [
  ...SDKS.map((sdk) => [`${sdk}, HTTP, in SQLite`, () => connect(sdk, { url: served.url })] as const),
  ...SDKS.filter((sdk) => sdk !== 'SDK v2, 2025-11-25').map(
    (sdk) => [`${sdk}, stdio, in files`, () => connect(sdk, inFiles())] as const,
  ),
]

describe.each(ways)('memory, for %s', SLOW, (name, connected) => {
  it('keeps conversations and facts', async () => {
    const peer = await connected()
    const { tools } = await peer.listTools()
    expect(tools.map((tool) => tool.name).sort()).toEqual([
      'delete_conversation',
      'delete_user_fact',
      'get_user_facts',
      'save_conversation',
      'save_user_fact',
    ])
    const id = `talk of ${name}`
    const uri = `memory://conversations/${encodeURIComponent(id)}`
    const snapshot = { messages: [{ role: 'user', content: 'Hello' }], summary: null }
    const save = (saved: unknown) => call(peer, 'save_conversation', { conversation_id: id, snapshot: saved })
    expect(await save(JSON.stringify(snapshot))).toEqual({ saved: true, conversation_id: id })
    expect(JSON.parse(await textOf(peer, uri))).toEqual(snapshot)
    await save({ ...snapshot, summary: 'A greeting' })
    expect(JSON.parse(await textOf(peer, uri))).toMatchObject({ summary: 'A greeting' })
    expect((await peer.listResources()).resources.map((resource) => resource.uri)).toContain(uri)
    const { completion } = await peer.complete({
      ref: { type: 'ref/resource', uri: 'memory://conversations/{conversation_id}' },
      argument: { name: 'conversation_id', value: 'talk' },
    })
    expect(completion.values).toContain(id)
    expect(await call(peer, 'delete_conversation', { conversation_id: id })).toMatchObject({ deleted: true })
    expect(await call(peer, 'delete_conversation', { conversation_id: id })).toMatchObject({ deleted: false })
    await expect(peer.readResource({ uri })).rejects.toThrow(uri)

    const user = `user of ${name}`
    for (const [key, value] of [
      ['language', 'English'],
      ['colour', 'blue'],
      ['language', 'French'],
    ]) {
      const saved = await call(peer, 'save_user_fact', { user_id: user, key, value })
      expect(saved).toEqual({ saved: true, user_id: user, key })
    }
    const facts = [
      { key: 'colour', value: 'blue' },
      { key: 'language', value: 'French' },
    ]
    const { content, structuredContent } = await peer.callTool({
      name: 'get_user_facts',
      arguments: { user_id: user },
    })
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(facts)
    expect(structuredContent).toEqual({ facts })
    expect(JSON.parse(await textOf(peer, `memory://users/${encodeURIComponent(user)}`))).toEqual(facts)
    expect(await call(peer, 'delete_user_fact', { user_id: user, key: 'colour' })).toMatchObject({
      deleted: true,
    })
    expect(await call(peer, 'get_user_facts', { user_id: user })).toEqual({ facts: facts.slice(1) })
    expect(
      await peer.callTool({ name: 'save_user_fact', arguments: { user_id: user, key: 'x' } }),
    ).toMatchObject({
      isError: true,
    })
  })
})

it.each(SDKS)('tells a model what is remembered, for %s', async (sdk) => {
  const peer = await connect(sdk, { url: served.url })
  await call(peer, 'save_user_fact', { user_id: 'bob', key: 'language', value: 'Dutch' })
  const { messages } = await peer.getPrompt({ name: 'recall', arguments: { user_id: 'bob' } })
  expect(messages[0]?.content.text).toContain('- language: Dutch\n')
})

it('remembers after a restart, whoever asks', SLOW, async () => {
  const saving = await connect('SDK v2, 2026-07-28', { url: served.url })
  await call(saving, 'save_user_fact', { user_id: 'ada', key: 'language', value: 'English' })
  await call(saving, 'save_conversation', { conversation_id: 'first', snapshot: [1, 2] })
  await saving.close()
  expect(await served.end()).toBe(0)
  await served.start(inSqlite())
  const peer = await connect('SDK v1, 2025-11-25', { url: served.url })
  expect(await call(peer, 'get_user_facts', { user_id: 'ada' })).toEqual({
    facts: [{ key: 'language', value: 'English' }],
  })
  expect(await textOf(peer, 'memory://conversations/first')).toBe('[1,2]')
})

it('reports who subscribed that a conversation changed, and everybody that there is a new one', async () => {
  const client = new Client({ name: 'subscriber', version: '1' })
  const heard: string[] = []
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    heard.push(params.uri)
  })
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
    heard.push('list')
  })
  onTestFinished(() => client.close())
  await client.connect(new StreamableHTTPClientTransport(served.url))
  const uri = 'memory://conversations/watched'
  await client.subscribeResource({ uri })
  const other = await connect('SDK v2, 2026-07-28', { url: served.url })
  await call(other, 'save_conversation', { conversation_id: 'watched', snapshot: [] })
  await expect.poll(() => heard.toSorted(), SLOW).toEqual(['list', uri])
  await call(other, 'save_conversation', { conversation_id: 'watched', snapshot: [1] })
  await expect.poll(() => heard, SLOW).toEqual([expect.any(String), expect.any(String), uri])
})
