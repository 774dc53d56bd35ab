import { cp } from 'node:fs/promises'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { expect, it, onTestFinished } from 'vitest'
import { call, connect, SDKS, serveWorkspace, SLOW, textOf } from '../workspace-clients.test-support.ts'

const served = serveWorkspace(async (folder) => {
  // What Patchbay writes into a workspace stays out of the repository.
  const here = import.meta.dirname
  const wanted = (source: string) => !path.relative(here, source).startsWith('.patchbay')
  await cp(here, folder, { recursive: true, filter: wanted })
  return { folder }
})

it.each(SDKS)('%s finds, calls, reads, completes, gets and is asked', SLOW, async (sdk) => {
  const asked: string[] = []
  const client = await connect(sdk, { url: served.url }, ({ message }) => {
    asked.push(message)
    const content = message.startsWith('Delete') ? { confirm: true } : { hours: 1, pace: 'long' }
    return { action: 'accept', content }
  })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'create_note',
    'delete_note',
    'export_notes',
    'index_notes',
    'list_notes',
    'plan_day',
    'review_notes',
    'search_notes',
    'suggest_title',
  ])
  expect(client.getServerVersion()).toMatchObject({ name: 'notes' })
  const note = { title: `Oats for ${sdk}`, text: 'Two kilos', tags: ['todo'] }
  const { id, uri } = (await call(client, 'create_note', note)) as { id: string; uri: string }
  expect(await textOf(client, uri)).toBe(`# Oats for ${sdk}\n\nTwo kilos\n\nTags: todo\n`)
  expect((await client.listResources()).resources.map((each) => each.uri)).toContain(uri)
  const found = await call(client, 'search_notes', { query: 'oats' })
  expect(found).toMatchObject({ total: 1, notes: [{ id, excerpt: 'Two kilos' }] })
  const ref = { type: 'ref/resource' as const, uri: 'notes://{id}' }
  const completed = await client.complete({ ref, argument: { name: 'id', value: 'oats' } })
  expect(completed.completion.values).toEqual([id])
  const { messages } = await client.getPrompt({ name: 'summarise_notes', arguments: { style: 'brief' } })
  expect(messages[0]?.content.text).toContain('Summarise my 1 note in three sentences')
  expect(await call(client, 'plan_day')).toMatchObject({ minutes: 60, plan: [{ at: '09:00' }] })
  expect(await call(client, 'export_notes')).toContain(`# Oats for ${sdk}`)
  const reviewed = await call(client, 'review_notes', { pauseMs: 0 })
  expect(reviewed).toEqual({ reviewed: 1, empty: [], untagged: [], alike: [] })
  expect(await call(client, 'delete_note', { id })).toEqual({ deleted: true })
  expect(asked).toHaveLength(2)
  await expect(call(client, 'suggest_title', { id })).rejects.toThrow('suggest_title failed')
})

it('tells subscribers of notes, progress as it goes, and asks the model of the client', SLOW, async () => {
  const client = new Client({ name: 'whole', version: '1' }, { capabilities: { sampling: {} } })
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    role: 'assistant' as const,
    model: 'played',
    content: { type: 'text' as const, text: '{"title":"Milk","why":"shorter"}' },
  }))
  const updated: string[] = []
  const heard = Promise.withResolvers<undefined>()
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    updated.push(params.uri)
    heard.resolve(undefined)
  })
  await client.connect(new StreamableHTTPClientTransport(served.url))
  onTestFinished(() => client.close())
  await client.subscribeResource({ uri: 'notes://index' })
  const made = await client.callTool({
    name: 'create_note',
    arguments: { title: 'Buy two litres of milk' },
  })
  await heard.promise
  expect(updated).toContain('notes://index')
  const { id } = made.structuredContent as { id: string }
  const suggested = await client.callTool({ name: 'suggest_title', arguments: { id } })
  expect(suggested.structuredContent).toEqual({ title: 'Milk', why: 'shorter' })
  const progress: (string | undefined)[] = []
  await client.callTool({ name: 'index_notes', arguments: { pauseMs: 0 } }, undefined, {
    onprogress: ({ message }) => progress.push(message),
  })
  expect(progress).toEqual(['Found 1 note', 'Read “Buy two litres of milk”', 'Wrote the index'])
  const streamed: (string | undefined)[] = []
  await client.callTool({ name: 'export_notes', arguments: {} }, undefined, {
    onprogress: ({ message }) => streamed.push(message),
  })
  expect(streamed).toEqual(['# Buy two litres of milk\n\n'])
})
