import { describe, expect, it } from 'vitest'
import type { RegistryChange } from '../registry/entries.ts'
import { Registry } from '../registry/registry.ts'
import { ScriptedInvocation } from '../registry/scripted-invocation.test-support.ts'
import { composeRegistry, type Amendment, type Origin, type Source } from './compose.ts'

const NOTES: Origin = { kind: 'script', label: 'tools/notes.ts', file: 'tools/notes.ts' }
const BIRDS: Origin = { kind: 'mount', label: '../birds', file: 'patchbay.config.ts' }

function birds(): Registry {
  const registry = new Registry()
  registry.addTool({
    name: 'identify',
    description: 'Names a bird',
    annotations: { readOnlyHint: true },
    run: (args) => `a bird for ${JSON.stringify(args)}`,
  })
  registry.addTool({
    name: 'link',
    run: () => [
      { type: 'resource_link', uri: 'birds://all', name: 'all' },
      { type: 'resource_link', uri: 'https://elsewhere.example/', name: 'other' },
      { type: 'resource', resource: { uri: 'birds://one/wren', text: 'small' } },
    ],
  })
  registry.addResource({ uri: 'birds://all', name: 'All birds', read: () => 'wren, robin' })
  registry.addResourceTemplate({
    uriTemplate: 'birds://one/{bird}',
    name: 'One bird',
    complete: { bird: ['wren', 'robin'] },
    list: () => [{ uri: 'birds://one/wren', name: 'Wren' }],
    read: ({ bird }) => `about ${bird}`,
  })
  registry.addPrompt({
    name: 'describe',
    arguments: [{ name: 'bird' }],
    complete: { bird: ['wren', 'robin'] },
    get: ({ bird }) => `Describe ${bird}`,
  })
  return registry
}

function told(view: { onChange(listener: (change: RegistryChange) => void): () => void }): RegistryChange[] {
  const changes: RegistryChange[] = []
  view.onChange((change) => changes.push(change))
  return changes
}

describe('composeRegistry', () => {
  it('serves each source under its prefix, and its handlers as they are', async () => {
    const notes = new Registry()
    notes.addTool({ name: 'identify', run: () => 'a note' })
    const composed = composeRegistry([
      { id: 'notes', origin: NOTES, view: notes },
      { id: 'birds', origin: BIRDS, view: birds(), prefix: 'birds' },
    ])
    expect(composed.tools().map(({ name }) => name)).toEqual(['identify', 'birds.identify', 'birds.link'])
    expect(composed.tool('identify')).toBe(notes.tool('identify'))
    const outcome = await composed.tool('birds.identify')?.invoke({ size: 3 }, new ScriptedInvocation())
    expect(outcome?.content).toEqual([{ type: 'text', text: 'a bird for {"size":3}' }])

    expect(composed.resources().map(({ uri }) => uri)).toEqual(['birds://birds/all'])
    const read = await composed.resourceFor('birds://birds/one/wren')?.read(new ScriptedInvocation())
    expect(read?.contents).toEqual([
      { uri: 'birds://birds/one/wren', mimeType: 'text/plain', text: 'about wren' },
    ])
    expect(composed.resourceFor('birds://one/wren')).toBeUndefined()
    const [template] = composed.resourceTemplates()
    expect(await template?.list?.(new ScriptedInvocation())).toMatchObject([
      { uri: 'birds://birds/one/wren' },
    ])

    const prompt = await composed.prompt('birds.describe')?.get({ bird: 'wren' }, new ScriptedInvocation())
    expect(prompt?.messages).toMatchObject([{ content: { text: 'Describe wren' } }])
    for (const ref of [
      { type: 'ref/prompt', name: 'birds.describe' },
      { type: 'ref/resource', uri: 'birds://birds/one/{bird}' },
    ] as const) {
      const completion = await composed.complete(
        ref,
        { name: 'bird', value: 'w' },
        {},
        new ScriptedInvocation(),
      )
      expect(completion?.values).toContain('wren')
    }
  })

  it('puts the prefix into links to resources of the source, and into no others', async () => {
    const composed = composeRegistry([
      { id: 'b', origin: BIRDS, view: birds(), prefix: 'aviary', separator: '_' },
    ])
    const outcome = await composed.tool('aviary_link')?.invoke({}, new ScriptedInvocation())
    expect(outcome?.content).toMatchObject([
      { uri: 'birds://aviary/all' },
      { uri: 'https://elsewhere.example/' },
      { resource: { uri: 'birds://aviary/one/wren' } },
    ])
  })

  it('fails at the start where two sources have the same name, and names both', () => {
    const sources: Source[] = [
      { id: 'one', origin: NOTES, view: birds() },
      { id: 'two', origin: BIRDS, view: birds() },
    ]
    expect(() => composeRegistry(sources)).toThrow(
      expect.objectContaining({
        code: 'collision',
        message: expect.stringMatching(
          /tool "identify" is in script "tools\/notes\.ts" and in mount "\.\.\/birds" \(patchbay\.config\.ts\).*4 more/s,
        ) as string,
      }),
    )
  })

  it('leaves the older entry standing where a later one takes its name, and lets that follow it', () => {
    const composed = composeRegistry([{ id: 'one', origin: NOTES, view: birds() }])
    const late = new Registry()
    const changes = told(composed)
    composed.add({ id: 'two', origin: BIRDS, view: late })
    late.addTool({ name: 'identify', description: 'The late one', run: () => 'late' })
    expect(changes).toEqual([])
    expect(composed.tool('identify')?.description).toBe('Names a bird')
    expect(composed.entries().find(({ source }) => source === 'two')).toMatchObject({
      key: 'tool:identify',
      state: 'failing',
      fault: { code: 'collision', message: expect.stringContaining('tools/notes.ts') as string },
    })
    composed.remove('one')
    expect(composed.tool('identify')?.description).toBe('The late one')
    expect(composed.entries()).toMatchObject([{ state: 'served', origin: BIRDS }])
    expect(changes.map((change) => (change.type === 'list' ? change.kind : change.uri)).toSorted()).toEqual([
      'prompts',
      'resources',
      'tools',
    ])
  })

  it('serves an override instead of the entry that it overrides, whichever came first', () => {
    const composed = composeRegistry([{ id: 'birds', origin: BIRDS, view: birds(), prefix: 'birds' }])
    const own = new Registry()
    own.addTool({ name: 'birds.identify', description: 'Mine', run: () => 'mine' })
    composed.add({ id: 'mine', origin: { kind: 'override', label: 'birds.identify' }, view: own })
    expect(composed.tool('birds.identify')?.description).toBe('Mine')
    expect(composed.tools().filter(({ name }) => name === 'birds.identify')).toHaveLength(1)
    expect(composed.entries().filter(({ name }) => name === 'birds.identify')).toMatchObject([
      { source: 'birds', state: 'overridden' },
      { source: 'mine', state: 'served' },
    ])
    composed.remove('mine')
    expect(composed.tool('birds.identify')?.description).toBe('Names a bird')
  })
})

describe('amendments', () => {
  it('switch, rename and describe an entry, each told once and only if clients can see it', async () => {
    const amendments = new Map<string, Amendment>()
    const view = birds()
    const composed = composeRegistry([
      { id: 'birds', origin: BIRDS, view, prefix: 'birds', amend: (key) => amendments.get(key) },
    ])
    const changes = told(composed)
    let looks = 0
    composed.onEntries(() => (looks += 1))

    amendments.set('tool:birds.identify', {
      name: 'name_bird',
      title: 'Which bird?',
      description: '',
      annotations: { idempotentHint: true, readOnlyHint: null },
    })
    composed.amendmentsChanged()
    expect(changes).toEqual([{ type: 'list', kind: 'tools' }])
    expect(composed.tool('birds.identify')).toBeUndefined()
    const shown = composed.tool('name_bird')
    expect(shown).toMatchObject({ title: 'Which bird?', annotations: { idempotentHint: true } })
    expect(shown).not.toHaveProperty('description')
    const outcome = await composed.tool('name_bird')?.invoke({}, new ScriptedInvocation())
    expect(outcome?.content).toMatchObject([{ text: 'a bird for {}' }])

    amendments.set('tool:birds.identify', { name: 'name_bird', enabled: false })
    amendments.set('resource:birds://birds/all', { enabled: false })
    composed.amendmentsChanged()
    expect(changes.splice(0)).toHaveLength(3)
    expect(composed.tool('name_bird')).toBeUndefined()
    expect(composed.resourceFor('birds://birds/all')).toBeUndefined()
    expect(composed.entries()[0]).toMatchObject({
      key: 'tool:birds.identify',
      shownName: 'name_bird',
      state: 'off',
    })
    amendments.set('tool:birds.identify', { name: 'other_name', enabled: false })
    composed.amendmentsChanged()
    composed.amendmentsChanged()
    expect(changes).toEqual([])
    expect(looks).toBeGreaterThan(0)
  })
})

describe('changes', () => {
  it('are notified once each, and not where clients see the same', () => {
    const view = new Registry()
    const handle = view.addTool({ name: 'a', run: () => 1 })
    view.addResource({ uri: 'x:a', name: 'a', read: 'a' })
    const composed = composeRegistry([{ id: 'v', origin: NOTES, view, prefix: 'p' }])
    const changes = told(composed)
    const before = composed.tools()
    expect(composed.tools()).toBe(before)
    handle.update({ description: 'better' })
    expect(changes.splice(0)).toEqual([{ type: 'list', kind: 'tools' }])
    handle.update({ run: () => 2 })
    expect(changes).toEqual([])
    view.resourceUpdated('x:a')
    expect(changes.splice(0)).toEqual([{ type: 'updated', uri: 'x:p/a' }])
    composed.batch(() => {
      view.addTool({ name: 'b', run: () => 1 })
      view.addTool({ name: 'c', run: () => 1 })
      composed.replace({ id: 'v', origin: NOTES, view, prefix: 'q' })
    })
    expect(changes.splice(0).map((change) => change.type === 'list' && change.kind)).toEqual([
      'tools',
      'resources',
    ])
    const again = new Registry()
    again.addTool({ name: 'a', description: 'better', run: () => 3 })
    again.addTool({ name: 'b', run: () => 3 })
    again.addTool({ name: 'c', run: () => 3 })
    again.addResource({ uri: 'x:a', name: 'a', read: 'b' })
    composed.replace({ id: 'v', origin: NOTES, view: again, prefix: 'q' })
    expect(changes).toEqual([])
    view.addTool({ name: 'late', run: () => 1 })
    expect(composed.tools()).toHaveLength(3)
  })

  it('gives the very entries and the very list again, however many they are', () => {
    const view = new Registry()
    view.batch(() => {
      for (let at = 0; at < 10_000; at += 1) view.addTool({ name: `t${at}`, run: () => at })
    })
    const composed = composeRegistry([{ id: 'v', origin: NOTES, view }])
    expect(composed.tools()).toEqual(view.tools())
    expect(composed.tools().every((tool, at) => tool === view.tools()[at])).toBe(true)
    const list = composed.tools()
    composed.add({ id: 'w', origin: BIRDS, view: new Registry() })
    composed.amendmentsChanged()
    expect(composed.tools()).toBe(list)
  })
})

describe('a prefix', () => {
  it('has no place in a URI template without a scheme, which is then listed as failing', () => {
    const view = new Registry()
    view.addResourceTemplate({ uriTemplate: '{+anything}', name: 'anything', read: () => '' })
    const composed = composeRegistry([{ id: 'v', origin: NOTES, view, prefix: 'p' }])
    expect(composed.resourceTemplates()).toEqual([])
    expect(composed.entries()).toMatchObject([
      { key: 'template:{+anything}', state: 'failing', fault: { code: 'prefix' } },
    ])
  })
})
