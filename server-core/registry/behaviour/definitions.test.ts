import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { RegistryChange } from '../entries.ts'
import { inEveryPlacement, text } from './setup.test-support.ts'

inEveryPlacement('what is registered', ({ call, nextChange, view }) => {
  describe('definitions', () => {
    it('tells every member of a tool, with its schemas', async () => {
      const { view: opened } = await view((registry) => {
        registry.addTool({
          name: 'forecast',
          title: 'Forecast',
          description: 'Forecast for a city.',
          annotations: { readOnlyHint: true },
          icons: [{ src: 'data:image/png;base64,AA==' }],
          meta: { 'example.org/x': 1 },
          tags: ['weather', 'slow'],
          input: z.object({ city: z.string(), days: z.number().int().min(1).max(7).default(3) }),
          output: z.object({ city: z.string() }),
          timeout: 5_000,
          reentrant: true,
          run: ({ city }) => ({ city }),
        })
        registry.addTool({ name: 'bare', run: () => 'x' })
      })
      const [forecast, bare] = opened.tools()
      expect(forecast).toMatchObject({
        name: 'forecast',
        title: 'Forecast',
        description: 'Forecast for a city.',
        annotations: { readOnlyHint: true },
        icons: [{ src: 'data:image/png;base64,AA==' }],
        meta: { 'example.org/x': 1, 'patchbay/tags': ['weather', 'slow'] },
        tags: ['weather', 'slow'],
        inputSchema: {
          type: 'object',
          properties: {
            city: { type: 'string' },
            days: { type: 'integer', minimum: 1, maximum: 7, default: 3 },
          },
          required: ['city'],
        },
        outputSchema: { type: 'object', required: ['city'] },
        timeoutMs: 5_000,
        reentrant: true,
      })
      expect(bare?.inputSchema).toEqual({ type: 'object' })
      expect(bare?.timeoutMs).toBe(60_000)
      expect(bare).not.toHaveProperty('outputSchema')
    })

    it('keeps a JSON Schema as its author wrote it', async () => {
      const schema = {
        type: 'object',
        properties: { a: { 'x-mcp-header': 'A', type: 'string' } },
        $comment: 'mine',
      }
      const { view: opened } = await view((registry) =>
        registry.addTool({ name: 'plain', input: schema, run: (args) => args['a'] }),
      )
      expect(opened.tool('plain')?.inputSchema).toEqual(schema)
    })

    it('gives the same lists until something changed', async () => {
      const { view: opened, registry } = await view((r) => r.addTool({ name: 'a', run: () => 1 }))
      const tools = opened.tools()
      const prompts = opened.prompts()
      expect(opened.tools()).toBe(tools)
      const change = nextChange(opened)
      registry.addTool({ name: 'b', run: () => 2 })
      await change
      expect(opened.tools()).not.toBe(tools)
      expect(opened.tools().map(({ name }) => name)).toEqual(['a', 'b'])
      expect(opened.prompts()).toBe(prompts)
    })
  })

  describe('changes', () => {
    it('are notified once each, and an update that changes nothing is not', async () => {
      const { view: opened, registry } = await view(() => undefined)
      const changes: RegistryChange[] = []
      opened.onChange((change) => changes.push(change))
      const tool = registry.addTool({ name: 'a', description: 'one', input: z.object({}), run: () => 1 })
      tool.update({ description: 'one', input: z.object({}), run: () => 2 })
      tool.update({ description: 'two' })
      const resource = registry.addResource({ uri: 'x:1', name: 'x', read: 'text' })
      resource.update({ read: 'other' })
      registry.addPrompt({ name: 'p', get: () => 'hello' })
      registry.addResourceTemplate({ uriTemplate: 'y:{id}', name: 'y', read: ({ id }) => id })
      resource.remove()
      resource.remove()
      const last = new Promise<void>((resolve) => {
        opened.onChange((change) => {
          if (change.type === 'updated') resolve()
        })
      })
      registry.resourceUpdated('x:9')
      await last
      expect(changes).toEqual([
        { type: 'list', kind: 'tools' },
        { type: 'list', kind: 'tools' },
        { type: 'list', kind: 'resources' },
        { type: 'list', kind: 'prompts' },
        { type: 'list', kind: 'resources' },
        { type: 'list', kind: 'resources' },
        { type: 'updated', uri: 'x:9' },
      ])
      expect(await call(opened, 'a', {})).toEqual({ content: [text('2')] })
    })

    it('reach calls at once: a renamed tool answers under its new name only', async () => {
      const { view: opened, registry } = await view(() => undefined)
      let change = nextChange(opened)
      const tool = registry.addTool({ name: 'old', run: () => 'mine' })
      await change
      change = nextChange(opened)
      tool.update({ name: 'new', title: undefined })
      await change
      expect(opened.tool('old')).toBeUndefined()
      expect(await call(opened, 'new', {})).toEqual({ content: [text('mine')] })
    })
  })

  describe('arguments', () => {
    it('are parsed by zod where the handler runs: defaults and transforms hold', async () => {
      const { view: opened } = await view((registry) =>
        registry.addTool({
          name: 'tool',
          input: z.object({ n: z.number().default(2), s: z.string().transform((value) => value.length) }),
          run: ({ n, s }) => ({ product: n * s }),
        }),
      )
      expect((await call(opened, 'tool', { s: 'abc' })).structured).toEqual({ product: 6 })
    })

    it('that zod refuses give an error the model can read', async () => {
      const { view: opened } = await view((registry) =>
        registry.addTool({
          name: 'tool',
          input: z.object({
            range: z
              .object({ from: z.number(), to: z.number() })
              .refine(({ from, to }) => from < to, 'from must be below to'),
          }),
          run: () => 'never',
        }),
      )
      expect(await call(opened, 'tool', { range: { from: 2, to: 1 } })).toEqual({
        isError: true,
        content: [text('The arguments of tool are not valid: range: from must be below to')],
      })
    })
  })
})
