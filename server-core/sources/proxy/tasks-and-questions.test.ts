import { afterEach, describe, expect, it } from 'vitest'
import { TASKS_EXTENSION } from '../../protocol/extension-ids.ts'
import { callTool } from '../../client/requests/call-tool.ts'
import type { Revision } from '../../protocol/revisions.ts'
import { Registry } from '../../registry/registry.ts'
import type { ClientTransport } from '../../ports/contract.ts'
import { createProxy } from './proxy.ts'
import { clientOf, Closing, inMemory, serverOf, upstreamBy } from './proxy.test-support.ts'

const closing = new Closing()
afterEach(() => closing.close())

const INFO = { name: 'proxy', version: '1' }
const REVISIONS: readonly Revision[] = ['2025-11-25', '2026-07-28']

function proxyFor(open: () => ClientTransport): () => ClientTransport {
  const proxy = createProxy({ servers: [{ open: upstreamBy(open) }], info: INFO })
  closing.add(() => proxy.close())
  return inMemory(proxy)
}

describe.each(REVISIONS.flatMap((upstream) => REVISIONS.map((front) => ({ behind: upstream, front }))))(
  'tasks of a server of $behind, for a client of $front',
  ({ behind, front }) => {
    it('are tasks in front too, with what they ask', async () => {
      const registry = new Registry()
      registry.addTool({
        name: 'slow',
        taskSupport: 'required',
        run: async (_args, ctx) => {
          const schema = { type: 'object', properties: { name: { type: 'string' } } } as const
          const { name } = await ctx.elicit('Your name?', schema)
          return `slowly, ${String(name)}`
        },
      })
      const server = serverOf(registry, closing, [behind])
      const client = await clientOf(proxyFor(inMemory(server)), closing, {
        protocol: front,
        declaration: {
          identity: { name: 'in front', version: '1' },
          capabilities: { elicitation: {}, tasks: {}, extensions: { [TASKS_EXTENSION]: {} } },
        },
        responders: {
          elicitation: { form: () => Promise.resolve({ action: 'accept', content: { name: 'Ada' } }) },
        },
      })
      await client.listTools()
      const call = await callTool(client, { name: 'slow' }, front === '2025-11-25' ? { task: {} } : {})
      if (call.type !== 'task') throw new Error(`it is not a task but ${JSON.stringify(call.result)}`)
      expect((await call.task.result()).result).toMatchObject({ content: [{ text: 'slowly, Ada' }] })
    })
  },
)

describe('a question', () => {
  it('is withdrawn from the client when the server that asked has ended', async () => {
    const registry = new Registry()
    registry.addTool({
      name: 'ask',
      run: async (_args, ctx) => {
        await ctx.elicit('Your name?', { type: 'object', properties: { name: { type: 'string' } } })
        return 'never'
      },
    })
    const server = serverOf(registry, closing, ['2025-11-25'])
    const opened: ClientTransport[] = []
    const open = proxyFor(() => {
      const transport = inMemory(server)()
      opened.push(transport)
      return transport
    })
    const asked = Promise.withResolvers<AbortSignal>()
    const client = await clientOf(open, closing, {
      protocol: '2025-11-25',
      responders: {
        elicitation: {
          form: (_params, { signal }) => {
            asked.resolve(signal)
            return new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(new Error('taken back')))
            })
          },
        },
      },
    })
    const call = client.request('tools/call', { name: 'ask', arguments: {} })
    const signal = await asked.promise
    const withdrawn = new Promise((resolve) => signal.addEventListener('abort', resolve))
    await opened.at(-1)?.close()
    await expect(call).rejects.toThrow('The server behind the proxy did not answer')
    await withdrawn
  })
})
