import { expect, it } from 'vitest'
import { connect } from '../client/connect.ts'
import { Registry } from '../registry/registry.ts'
import type { ToolEntry } from '../registry/entries.ts'
import { ForwardedView } from '../registry/forwarded-view.ts'
import { createServer } from '../server/server.ts'
import { memoryPair } from '../transports/memory/memory-link.ts'
import { overridesSchema } from './mock-entry.ts'
import { LastResults, overridden, Overrides } from './override-view.ts'
import { seedFor } from './seed.ts'

const OUTPUT = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }

function registry(): Registry {
  const made = new Registry()
  made.addTool({
    name: 'sum',
    description: 'Adds.',
    input: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
    output: OUTPUT,
    run: (args) => ({ sum: Number(args['a']) }),
  })
  made.addTool({ name: 'other', run: () => 'other' })
  return made
}

/** As a proxy has it: somebody else checks arguments and results. */
class CheckedElsewhere extends ForwardedView {
  readonly #tools = this.view.tools().map((entry) => ({ ...entry, isCheckedElsewhere: true }))

  override tools(): readonly ToolEntry[] {
    return this.#tools
  }

  override tool(name: string): ToolEntry | undefined {
    return this.#tools.find((entry) => entry.name === name)
  }
}

function setUp() {
  const overrides = new Overrides()
  const last = new LastResults()
  const keyOf = (name: string): string => `tool:far.${name}`
  const source = registry()
  const view = overridden({ view: new CheckedElsewhere(source), keyOf, overrides, parts: {}, last })
  return { overrides, last, view }
}

it('answers one tool in the place of its source, under its name and schemas, until it is switched off', async () => {
  const { overrides, last, view } = setUp()
  const server = createServer({ registry: view, info: { name: 'far', version: '1' } })
  const pair = memoryPair()
  server.attach(pair.server)
  const client = await connect({
    open: () => Promise.resolve(pair.client),
    identity: { name: 'test', version: '1' },
    protocol: '2025-11-25',
  })
  const call = async (args: object): Promise<unknown> =>
    (await client.request('tools/call', { name: 'sum', arguments: args })).result
  const listed = await client.listTools()
  expect(await call({ a: 2 })).toMatchObject({ structuredContent: { sum: 2 } })

  const seed = seedFor(view.tool('sum'), last.of('tool:far.sum')?.outcome)
  expect(seed).toEqual({
    seededFrom: 'last-result',
    answer: {
      kind: 'fixed',
      result: { content: [{ type: 'text', text: '{"sum":2}' }], structuredContent: { sum: 2 } },
    },
  })
  const [override] = overridesSchema.parse([
    { key: 'tool:far.sum', answer: { kind: 'template', template: { sum: '{{arguments.a}}', by: 'hand' } } },
  ])
  if (override === undefined) expect.fail('no override')
  overrides.set([override])
  expect(await call({ a: 5 })).toMatchObject({ structuredContent: { sum: 5, by: 'hand' } })
  expect(await call({ a: 'five' })).toMatchObject({ isError: true })
  expect((await client.listTools()).items).toEqual(listed.items)
  expect((await client.request('tools/call', { name: 'other' })).result).toMatchObject({
    content: [{ text: 'other' }],
  })

  overrides.set([{ ...override, enabled: false }])
  expect(await call({ a: 6 })).toMatchObject({ structuredContent: { sum: 6 } })
  expect(await call({ a: 6 })).not.toMatchObject({ structuredContent: { by: 'hand' } })
  expect(last.of('tool:far.sum')?.outcome.structured).toEqual({ sum: 6 })
  await client.close()
})

it('keeps the entries that nothing changed about, and tells a change for the rest alone', () => {
  const { overrides, view } = setUp()
  const told: unknown[] = []
  view.onChange((change) => told.push(change))
  const before = view.tools()
  expect(view.tools()).toBe(before)
  overrides.set(overridesSchema.parse([{ key: 'tool:elsewhere', answer: { kind: 'fixed', result: {} } }]))
  expect(view.tools()).toBe(before)
  expect(told).toEqual([])
  overrides.set(overridesSchema.parse([{ key: 'tool:far.sum', answer: { kind: 'fixed', result: {} } }]))
  expect(told).toEqual([{ type: 'list', kind: 'tools' }])
  expect(view.tools()[1]).toBe(before[1])
  expect(view.tools()[0]).not.toHaveProperty('isCheckedElsewhere')
})

it('begins with a result to the output schema where no call was seen, else with an empty one', () => {
  const { view } = setUp()
  expect(seedFor(view.tool('sum'), undefined)).toMatchObject({
    seededFrom: 'output-schema',
    answer: { result: { structuredContent: { sum: 0 } } },
  })
  expect(seedFor(view.tool('other'), undefined)).toMatchObject({ seededFrom: 'nothing' })
})

it('keeps no result in memory with which nobody would begin an answer', () => {
  const last = new LastResults()
  const outcome = (data: string) => ({ content: [{ type: 'image', data, mimeType: 'image/png' }] })
  last.note('tool:draw', outcome('small'))
  expect(last.of('tool:draw')?.outcome).toEqual(outcome('small'))
  last.note('tool:draw', outcome('x'.repeat(2_000_000)))
  expect(last.of('tool:draw')).toBeUndefined()
  last.note('tool:draw', {
    content: [{ type: 'resource', resource: { uri: 'a:b', blob: 'x'.repeat(2_000_000) } }],
  })
  expect(last.of('tool:draw')).toBeUndefined()
})
