import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { Revision } from '../../protocol/revisions.ts'
import { Registry } from '../../registry/registry.ts'
import { createProxy } from './proxy.ts'
import { clientOf, Closing, inMemory, serverOf, upstreamBy, wayTo, type Way } from './proxy.test-support.ts'

const closing = new Closing()
afterEach(() => closing.close())

/** A server that mixes up whatever can be: it asks and logs in the middle of calls, which end in any order. */
function asking() {
  const registry = new Registry()
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const gate = (mark: string) => {
    const found = gates.get(mark) ?? Promise.withResolvers<void>()
    gates.set(mark, found)
    return found
  }
  registry.addTool({
    name: 'who',
    input: { type: 'object', properties: { mark: { type: 'string' } } },
    run: async ({ mark }, ctx) => {
      await gate(String(mark)).promise
      ctx.log('info', mark)
      ctx.progress(1, 1, String(mark))
      const schema = { type: 'object', properties: { name: { type: 'string' } } } as const
      const { name } = await ctx.elicit(`who is ${String(mark)}?`, schema)
      return `${String(mark)} for ${String(name)}`
    },
  })
  return { registry, open: (mark: string) => gate(mark).resolve() }
}

const TABLE: readonly { upstream: Revision; front: Revision; way: Way }[] = [
  { upstream: '2025-11-25', front: '2025-11-25', way: 'http' },
  { upstream: '2025-11-25', front: '2026-07-28', way: 'http' },
  { upstream: '2026-07-28', front: '2025-11-25', way: 'memory' },
  { upstream: '2026-07-28', front: '2026-07-28', way: 'http' },
]

describe.each(TABLE)(
  'clients of $front before a server of $behind over $way',
  ({ upstream: upstream, front, way }) => {
    it('never get what belongs to another, in whatever order calls go on', async () => {
      const { registry, open } = asking()
      const server = serverOf(registry, closing, [upstream])
      const proxy = createProxy({
        servers: [{ open: upstreamBy(inMemory(server)) }],
        info: { name: 'proxy', version: '1' },
      })
      closing.add(() => proxy.close())
      const way_ = await wayTo(proxy, way, closing)
      // They say the same of themselves and count their requests alike, so nothing but their connection tells them apart.
      const clients = await Promise.all(
        ['Ada', 'Bob'].map(async (name) => {
          const logs: unknown[] = []
          const connection = await clientOf(way_, closing, {
            protocol: front,
            listeners: { log: ({ data }) => logs.push(data) },
            responders: {
              elicitation: { form: () => Promise.resolve({ action: 'accept', content: { name } }) },
            },
          })
          await connection.setLogLevel('info')
          return { name, connection, logs }
        }),
      )
      let round = 0
      const oneRound = async (order: readonly number[]) => {
        round += 1
        const marks: string[] = []
        const calls = clients.flatMap(({ name, connection }) =>
          [1, 2].map(async (each) => {
            const mark = `${name}-${round}-${each}`
            marks.push(mark)
            const progress: unknown[] = []
            const { result } = await connection.request(
              'tools/call',
              { name: 'who', arguments: { mark } },
              { onProgress: ({ message }) => progress.push(message) },
            )
            expect(result['content']).toMatchObject([{ text: `${mark} for ${name}` }])
            expect(progress).toEqual([mark])
          }),
        )
        for (const at of order) {
          const mark = marks[at]
          if (mark !== undefined) open(mark)
          await new Promise((resolve) => setImmediate(resolve))
        }
        await Promise.all(calls)
      }
      const orders = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 })
      await fc.assert(fc.asyncProperty(orders, oneRound), { numRuns: 12 })
      for (const { name, logs } of clients) {
        expect(logs.length).toBeGreaterThan(0)
        expect(logs.filter((log) => !String(log).startsWith(`${name}-`))).toEqual([])
      }
    })
  },
)
