import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import { ResourceNotFoundError } from '../../registry/errors.ts'
import { resourceListing } from '../../registry/listing.ts'
import { MemoryStore } from '../../registry/memory-store.ts'
import { ScriptedInvocation } from '../../registry/scripted-invocation.test-support.ts'
import { createBuiltInNotes } from './built-in-notes.ts'

const ajv = new Ajv.default({ strict: true, strictRequired: false })
addFormats.default(ajv)

function notes() {
  const registry = createBuiltInNotes()
  const store = new MemoryStore()
  const invocation = () => new ScriptedInvocation({ store })
  const call = async (name: string, args: JsonObject, own = invocation()) => {
    const tool = registry.tool(name)
    if (tool === undefined) throw new Error(`There is no tool ${name}.`)
    expect(ajv.validate(tool.inputSchema, args), ajv.errorsText()).toBe(true)
    const outcome = await tool.invoke(args, own)
    if (outcome.isError !== true) {
      expect(ajv.validate(tool.outputSchema ?? {}, outcome.structured), ajv.errorsText()).toBe(true)
    }
    return outcome
  }
  const read = (uri: string) => registry.resourceFor(uri)?.read(invocation())
  const complete = (ref: Parameters<typeof registry.complete>[0], name: string, value: string) =>
    registry.complete(ref, { name, value }, {}, invocation())
  return { registry, store, invocation, call, read, complete }
}

describe('tools', () => {
  it('create, list and search notes', async () => {
    const { call } = notes()
    const created = await call('create_note', {
      title: ' Milk ',
      text: 'Two litres of oat drink',
      tags: ['shop', 'shop'],
    })
    expect(created.structured).toMatchObject({ id: '1', uri: 'notes://1', title: 'Milk', tags: ['shop'] })
    expect(created.content).toMatchObject([
      { type: 'text', text: JSON.stringify(created.structured) },
      { type: 'resource_link', uri: 'notes://1', name: 'Milk' },
    ])
    await call('create_note', { title: 'Oats', tags: ['food'] })
    await call('create_note', { title: 'Call Ann', text: 'about the oat field' })
    expect((await call('list_notes', {})).structured).toMatchObject({
      total: 3,
      notes: [{ title: 'Call Ann' }, { title: 'Oats' }, { title: 'Milk' }],
    })
    expect((await call('list_notes', { tag: 'food' })).structured).toMatchObject({
      total: 3,
      notes: [{ id: '2' }],
    })
    expect((await call('search_notes', { query: 'OAT' })).structured).toMatchObject({
      total: 3,
      notes: [
        { title: 'Oats' },
        { title: 'Milk', excerpt: 'Two litres of oat drink' },
        { title: 'Call Ann' },
      ],
    })
    expect((await call('search_notes', { query: 'oat ann', limit: 1 })).structured).toMatchObject({
      total: 1,
    })
    expect((await call('search_notes', { query: 'nothing' })).structured).toEqual({ total: 0, notes: [] })
  })

  it('created at the same time are all kept', async () => {
    const { call } = notes()
    const titles = Array.from({ length: 20 }, (_, i) => `note ${i}`)
    await Promise.all(titles.map((title) => call('create_note', { title })))
    const { structured } = await call('list_notes', {})
    expect(structured).toMatchObject({ total: 20 })
    const { notes: kept } = structured as { notes: { id: string; title: string }[] }
    expect(new Set(kept.map(({ id }) => id)).size).toBe(20)
    expect(kept.map(({ title }) => title).sort()).toEqual(titles.sort())
  })

  it('tell what changed when a note is created', async () => {
    const { call, invocation } = notes()
    const own = invocation()
    await call('create_note', { title: 'a' }, own)
    expect(own.changes).toEqual([{ kind: 'resources' }, { uri: 'notes://index' }])
  })

  it('excerpt the place that was found', async () => {
    const { call } = notes()
    await call('create_note', { title: 'long', text: `${'before '.repeat(50)}needle${' after'.repeat(50)}` })
    const { structured } = await call('search_notes', { query: 'needle' })
    const { notes: found } = structured as { notes: { excerpt: string }[] }
    expect(found[0]?.excerpt).toMatch(/^….*needle.*…$/)
    expect(found[0]?.excerpt.length).toBeLessThan(130)
  })

  it('index the notes step by step', async () => {
    const { call, invocation, read } = notes()
    await call('create_note', { title: 'Apples', text: 'apples and pears, apples' })
    await call('create_note', { title: 'Pears' })
    const own = invocation()
    const outcome = await call('index_notes', { pauseMs: 0 }, own)
    expect(outcome.structured).toEqual({
      notes: 2,
      words: 6,
      mostUsed: [
        { word: 'apples', count: 3 },
        { word: 'pears', count: 2 },
      ],
    })
    expect(own.emissions.filter(({ type }) => type === 'progress')).toEqual([
      { type: 'progress', progress: 1, total: 4, message: 'Found 2 notes' },
      { type: 'progress', progress: 2, total: 4, message: 'Read “Apples”' },
      { type: 'progress', progress: 3, total: 4, message: 'Read “Pears”' },
      { type: 'progress', progress: 4, total: 4, message: 'Wrote the index' },
    ])
    expect(own.changes).toEqual([{ uri: 'notes://index' }])
    expect((await read('notes://index'))?.contents[0]?.['text']).toContain('- apples: 3')
  })

  it('stop indexing when the call is cancelled', async () => {
    const { call, invocation } = notes()
    await call('create_note', { title: 'a' })
    const own = invocation()
    own.controller.abort()
    expect((await call('index_notes', { pauseMs: 1_000 }, own)).isError).toBe(true)
    expect(own.emissions).toHaveLength(1)
  })

  it('refuse a title of white space and one note too many, saying why', async () => {
    const { registry, invocation, store } = notes()
    const create = registry.tool('create_note')
    expect(await create?.invoke({ title: ' ' }, invocation())).toMatchObject({
      isError: true,
      content: [{ text: 'A note needs a title: a text that is not only white space.' }],
    })
    const note = { id: '1', title: 'a', text: '', tags: [], createdAt: '2026-01-01T00:00:00Z' }
    await store.set('notes', { nextId: 1_001, notes: Array.from({ length: 1_000 }, () => note) })
    expect(await create?.invoke({ title: 'b' }, invocation())).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('There are 1000 notes') }],
    })
  })

  it('have schemas that are valid and descriptions on every argument', () => {
    const { registry } = notes()
    for (const tool of registry.tools()) {
      expect(tool.description, tool.name).toBeTruthy()
      expect(tool.annotations, tool.name).toHaveProperty('readOnlyHint')
      ajv.compile(tool.inputSchema)
      ajv.compile(tool.outputSchema ?? {})
      const properties = (tool.inputSchema['properties'] ?? {}) as Record<string, JsonObject>
      for (const [name, property] of Object.entries(properties)) {
        expect(property['description'], `${tool.name} ${name}`).toBeTruthy()
      }
    }
  })
})

describe('resources', () => {
  it('are the index and each note', async () => {
    const { registry, call, invocation, read } = notes()
    expect((await read('notes://index'))?.contents).toEqual([
      {
        uri: 'notes://index',
        mimeType: 'text/markdown',
        text: '# Notes\n\nThere are no notes yet. The tool create_note makes one.\n',
      },
    ])
    await call('create_note', { title: 'A *star*', text: 'Shines.', tags: ['sky'] })
    const listed = await resourceListing(registry, invocation())
    expect(listed).toMatchObject([
      { uri: 'notes://index', name: 'index' },
      { uri: 'notes://1', name: 'note-1', title: 'A *star*', mimeType: 'text/markdown', size: 31 },
    ])
    expect((await read('notes://1'))?.contents).toEqual([
      { uri: 'notes://1', mimeType: 'text/markdown', text: '# A *star*\n\nShines.\n\nTags: sky\n' },
    ])
    expect((await read('notes://index'))?.contents[0]?.['text']).toContain('- [A \\*star\\*](notes://1)')
  })

  it('that do not exist are reported as not found', async () => {
    const { read } = notes()
    await expect(read('notes://7')).rejects.toBeInstanceOf(ResourceNotFoundError)
  })

  it('complete ids by id and by title', async () => {
    const { call, complete } = notes()
    await call('create_note', { title: 'Milk' })
    await call('create_note', { title: 'Oats' })
    const ref = { type: 'ref/resource' as const, uri: 'notes://{id}' }
    expect(await complete(ref, 'id', '')).toEqual({ values: ['1', '2'] })
    expect(await complete(ref, 'id', 'oa')).toEqual({ values: ['2'] })
  })
})

describe('the prompt', () => {
  it('carries the notes and completes its arguments', async () => {
    const { registry, call, complete, invocation } = notes()
    const get = (args: Record<string, string>) => registry.prompt('summarise_notes')?.get(args, invocation())
    expect((await get({ style: 'brief' }))?.messages).toMatchObject([
      { role: 'user', content: { text: expect.stringContaining('There are no notes yet') } },
    ])
    await call('create_note', { title: 'Milk', tags: ['shop'] })
    await call('create_note', { title: 'Stars', tags: ['sky'] })
    expect(await get({ style: 'brief', tag: 'sky' })).toMatchObject({
      description: 'Summary of 1 note',
      messages: [
        {
          content: {
            text: 'Summarise my 1 note tagged “sky” in three sentences. Refer to each note by its title.',
          },
        },
        { content: { type: 'resource', resource: { uri: 'notes://2', text: '# Stars\n\nTags: sky\n' } } },
      ],
    })
    const ref = { type: 'ref/prompt' as const, name: 'summarise_notes' }
    expect(await complete(ref, 'style', 'b')).toEqual({ values: ['brief', 'bullets'] })
    expect(await complete(ref, 'tag', 's')).toEqual({ values: ['shop', 'sky'] })
  })
})
