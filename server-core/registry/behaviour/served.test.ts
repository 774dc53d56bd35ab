import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../protocol/json.ts'
import { connectTo, envelope, type RawClient, type Reply } from '../../server/raw-client.test-support.ts'
import { createServer } from '../../server/server.ts'
import { FORBIDDEN } from '../errors.ts'
import type { Registry, RegistryOptions } from '../registry.ts'
import { inEveryPlacement } from './setup.test-support.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const closed = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const end = () => {
      reject(signal.reason as Error)
    }
    if (signal.aborted) end()
    else signal.addEventListener('abort', end)
  })

inEveryPlacement('what clients see of handlers', ({ view }) => {
  /** A whole server on the registry, with one client of each era. */
  const serve = async (fill: (registry: Registry) => void, options?: RegistryOptions) => {
    const { view: opened, registry } = await view(fill, options)
    const server = createServer({ registry: opened, info: { name: 'test', version: '1' } })
    closing.push(() => server.close())
    const { client: legacy } = await connectTo(server)
    await legacy.initialize({ elicitation: {} })
    const { client: modern } = await connectTo(server)
    return { registry, server, legacy, modern }
  }
  const callModern = (client: RawClient, name: string, more: JsonObject = {}, id?: string): Promise<Reply> =>
    client.request('tools/call', { name, arguments: {}, _meta: envelope(), ...more }, id)

  it('is that a call over its time limit ends, and its handler learns of it', async () => {
    const heard: string[] = []
    const { legacy, modern } = await serve((registry) =>
      registry.addTool({
        name: 'slow',
        timeout: 30,
        run: (_, { signal }) =>
          closed(signal).catch((error: unknown) => heard.push((error as Error).message)),
      }),
    )
    for (const { result } of [
      await legacy.request('tools/call', { name: 'slow' }),
      await callModern(modern, 'slow'),
    ]) {
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/time limit of the handler, 30 ms, is over .*timeout/) }],
      })
    }
    await expect.poll(() => heard).toHaveLength(2)
  })

  it('is that a tool that checks its arguments itself answers in its own words, in every revision', async () => {
    const mapError = (error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'ArgumentsError') return undefined
      const body = { error: 'validation_error', message: error.message }
      return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true }
    }
    const input = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const
    const { legacy, modern } = await serve((registry) => {
      const run = () => 'ran'
      registry.addTool({ name: 'zod', input: z.object({ n: z.int() }), validation: 'handler', mapError, run })
      registry.addTool({ name: 'plain', input, validation: 'handler', mapError, run })
      registry.addTool({ name: 'unmapped', input, validation: 'handler', run })
      registry.addTool({ name: 'unasked', input, mapError, run })
    })
    const told = async (name: string, args: JsonObject) => {
      const replies = [
        await legacy.request('tools/call', { name, arguments: args }),
        await callModern(modern, name, { arguments: args }),
      ]
      return replies.map(({ result }) => (result as { content: { text: string }[] }).content[0]?.text)
    }
    for (const name of ['zod', 'plain']) {
      for (const text of await told(name, {})) {
        expect(JSON.parse(text ?? '')).toEqual({
          error: 'validation_error',
          message: expect.stringMatching(new RegExp(`^The arguments of ${name} are not valid: .*n`)),
        })
      }
      expect(await told(name, { n: 1 })).toEqual(['ran', 'ran'])
    }
    for (const text of await told('unmapped', {})) expect(text).toContain('unmapped are not valid')
    for (const text of await told('unasked', {}))
      expect(text).toContain('Invalid arguments for tool "unasked"')
  })

  it('is that a cancelled call is not answered, and its handler learns of it', async () => {
    const started = Promise.withResolvers<void>()
    const heard = Promise.withResolvers<string>()
    const { modern } = await serve((registry) => {
      registry.addTool({
        name: 'wait',
        run: (_, { signal }) => {
          started.resolve()
          return closed(signal).catch((error: unknown) => {
            heard.resolve((error as Error).message)
          })
        },
      })
      registry.addTool({ name: 'next', run: () => 'next' })
    })
    void callModern(modern, 'wait', {}, 'cancel me')
    await started.promise
    const params = { requestId: 'cancel me', reason: 'changed my mind', _meta: envelope() }
    await modern.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
    expect(await heard.promise).toContain('changed my mind')
    await callModern(modern, 'next')
    expect(modern.messages.some(({ id }) => id === 'cancel me')).toBe(false)
  })

  it('is a guard’s refusal as a JSON-RPC error that names it', async () => {
    const { legacy, modern } = await serve(
      (registry) => {
        registry.addTool({ name: 'tool', run: () => 'never' })
        registry.addResource({ uri: 'x:1', name: 'x', read: 'never' })
      },
      { guards: [{ name: 'members', allows: () => 'join first' }] },
    )
    const error = {
      code: FORBIDDEN,
      message: 'Forbidden by guard "members": join first',
      data: { type: 'FORBIDDEN', guard: 'members' },
    }
    expect((await legacy.request('tools/call', { name: 'tool' })).error).toEqual(error)
    expect((await legacy.request('resources/read', { uri: 'x:1' })).error).toEqual(error)
    expect((await callModern(modern, 'tool')).error).toEqual(error)
  })

  it('is the state of a call kept over its rounds', async () => {
    const { modern } = await serve((registry) =>
      registry.addTool({
        name: 'ask',
        run: async (_, ctx) => {
          ctx.state['asked'] = 1
          await ctx.elicit('Sure?', { type: 'object', properties: {} }, { key: 'sure' })
          return ctx.state
        },
      }),
    )
    const _meta = envelope({ elicitation: {} })
    const { result: round } = await callModern(modern, 'ask', { _meta })
    expect(round).toMatchObject({ resultType: 'input_required', inputRequests: { sure: {} } })
    const { result } = await callModern(modern, 'ask', {
      _meta,
      requestState: round?.['requestState'],
      inputResponses: { sure: { action: 'accept', content: {} } },
    })
    expect(result).toMatchObject({ structuredContent: { asked: 1 } })
  })

  describe('of the switch', () => {
    it('is one notification for each list, empty lists and unknown tools', async () => {
      const { registry, legacy } = await serve((filled) => {
        filled.addTool({ name: 'tool', run: () => 'here' })
        filled.addPrompt({ name: 'prompt', get: () => 'x' })
        filled.addResource({ uri: 'x:1', name: 'x', read: '' })
        filled.addResourceTemplate({ uriTemplate: 'y:{id}', name: 'y', read: () => '' })
      })
      registry.setEnabled(false)
      const last = ({ method }: JsonObject) => method === 'notifications/prompts/list_changed'
      await legacy.seen(last)
      expect(legacy.messages.flatMap(({ method }) => (typeof method === 'string' ? [method] : []))).toEqual([
        'notifications/tools/list_changed',
        'notifications/resources/list_changed',
        'notifications/prompts/list_changed',
      ])
      expect((await legacy.request('tools/list')).result?.['tools']).toEqual([])
      expect((await legacy.request('tools/call', { name: 'tool' })).error?.message).toBe('Unknown tool: tool')
      registry.setEnabled(true)
      await legacy.seen(
        (message) => last(message) && legacy.notifications('notifications/prompts/list_changed').length === 2,
      )
      expect((await legacy.request('tools/call', { name: 'tool' })).result).toEqual({
        content: [{ type: 'text', text: 'here' }],
      })
    })

    it('is what is declared to a client that comes meanwhile, so that it learns of the end', async () => {
      const { registry, server } = await serve(
        (filled) => filled.addTool({ name: 'tool', run: () => 'here' }),
        {
          listStabilities: { tools: 'fixed' },
        },
      )
      const changed = new Promise((resolve) => registry.onChange(resolve))
      registry.setEnabled(false)
      await changed
      const { client } = await connectTo(server)
      const { result } = await client.initialize()
      expect(result?.['capabilities']).toMatchObject({ tools: { listChanged: true } })
      const listed = async () => (await client.request('tools/list')).result?.['tools']
      await expect.poll(listed).toEqual([])
      registry.setEnabled(true)
      await client.seen(({ method }) => method === 'notifications/tools/list_changed')
      await expect.poll(listed).toHaveLength(1)
    })
  })
})
