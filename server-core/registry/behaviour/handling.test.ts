import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ProtocolError } from '../../protocol/errors.ts'
import { FORBIDDEN } from '../errors.ts'
import type { Guard, HandlerCall, Interceptor } from '../middleware.ts'
import { InputUnavailableError } from '../invocation.ts'
import { resourceListing } from '../listing.ts'
import { ScriptedInvocation } from '../scripted-invocation.test-support.ts'
import { inEveryPlacement, text } from './setup.test-support.ts'

/** Lets in who has that header. */
const admins: Guard = {
  name: 'admins',
  allows: (_, { headers }) => headers['x-role'] === 'admin',
}
const admin = () => new ScriptedInvocation({ facts: { headers: { 'x-role': 'admin' } } })
const forbidden = (guard: string) => ({ code: FORBIDDEN, data: { type: 'FORBIDDEN', guard } })

inEveryPlacement('middleware', ({ call, view }) => {
  describe('guards', () => {
    it('refuse with an error that names them, before the handler runs', async () => {
      let runs = 0
      const { view: opened } = await view((registry) =>
        registry.addTool({ name: 'wipe', guards: [admins], run: () => (runs += 1) }),
      )
      const refused = call(opened, 'wipe', {})
      await expect(refused).rejects.toBeInstanceOf(ProtocolError)
      await expect(refused).rejects.toMatchObject({
        ...forbidden('admins'),
        message: 'Forbidden by guard "admins".',
      })
      expect(runs).toBe(0)
      expect(await call(opened, 'wipe', {}, admin())).toEqual({ content: [text('1')] })
    })

    it('are asked in order, the registry’s first, until one refuses; a reason is sent', async () => {
      const asked: string[] = []
      const guard = (name: string, verdict: boolean | string): Guard => ({
        name,
        allows: () => {
          asked.push(name)
          return Promise.resolve(verdict)
        },
      })
      const { view: opened } = await view(
        (registry) =>
          registry.addTool({
            name: 'tool',
            guards: [guard('own', true), guard('closed', 'come back tomorrow'), guard('never asked', true)],
            run: () => 'never',
          }),
        { guards: [guard('outer', true)] },
      )
      await expect(call(opened, 'tool', {})).rejects.toMatchObject({
        ...forbidden('closed'),
        message: 'Forbidden by guard "closed": come back tomorrow',
      })
      expect(asked).toEqual(['outer', 'own', 'closed'])
    })

    it('of a registry run before every kind of handler', async () => {
      const calls: HandlerCall[] = []
      const seen: Guard = {
        name: 'seen',
        allows: (told, { headers }) => {
          calls.push(told)
          return headers['x-role'] === 'admin'
        },
      }
      const { view: opened } = await view(
        (registry) => {
          registry.addTool({ name: 'tool', tags: ['red'], run: () => 'x' })
          registry.addResource({ uri: 'x:static', name: 'static', read: 'text' })
          registry.addResourceTemplate({
            uriTemplate: 'y:{id}',
            name: 'template',
            complete: { id: ['1'] },
            list: () => [{ uri: 'y:1', name: 'one' }],
            read: ({ id }) => id,
          })
          registry.addPrompt({ name: 'prompt', arguments: [{ name: 'a' }], get: () => 'x' })
        },
        { guards: [seen] },
      )
      const ref = { type: 'ref/resource' as const, uri: 'y:{id}' }
      const all = (invocation: ScriptedInvocation): Promise<unknown>[] => [
        call(opened, 'tool', { n: 1 }, invocation),
        Promise.resolve(opened.resourceFor('x:static')?.read(invocation)),
        Promise.resolve(opened.resourceFor('y:7')?.read(invocation)),
        Promise.resolve(opened.prompt('prompt')?.get({ a: 'b' }, invocation)),
        opened.complete(ref, { name: 'id', value: '' }, {}, invocation),
      ]
      for (const outcome of await Promise.allSettled(all(new ScriptedInvocation()))) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: forbidden('seen') })
      }
      expect(calls).toEqual([
        { kind: 'tool', name: 'tool', tags: ['red'], arguments: { n: 1 } },
        { kind: 'resource', name: 'static', tags: [], uri: 'x:static', arguments: {} },
        { kind: 'template', name: 'template', tags: [], uri: 'y:7', arguments: { id: '7' } },
        { kind: 'prompt', name: 'prompt', tags: [], arguments: { a: 'b' } },
        { kind: 'completion', name: 'template', tags: [], arguments: { id: '' } },
      ])
      await Promise.all(all(admin()))
    })

    it('hide what a template lists, and leave the rest of the list', async () => {
      const { view: opened } = await view((registry) => {
        registry.addResource({ uri: 'x:static', name: 'static', read: 'text' })
        registry.addResourceTemplate({
          uriTemplate: 'y:{id}',
          name: 'template',
          guards: [admins],
          list: () => [{ uri: 'y:1', name: 'one' }],
          read: ({ id }) => id,
        })
      })
      const uris = async (invocation: ScriptedInvocation) =>
        (await resourceListing(opened, invocation)).map(({ uri }) => uri)
      expect(await uris(new ScriptedInvocation())).toEqual(['x:static'])
      expect(await uris(admin())).toEqual(['x:static', 'y:1'])
    })

    it('may ask the client, and share the state of the call with its handler', async () => {
      const invocation = new ScriptedInvocation({
        answer: () => ({ q1: { action: 'accept', content: { sure: true } } }),
      })
      const { view: opened } = await view((registry) =>
        registry.addTool({
          name: 'tool',
          guards: [
            {
              name: 'sure',
              allows: async (_, ctx) => {
                const { sure } = await ctx.elicit('Sure?', z.object({ sure: z.boolean() }))
                ctx.state['sure'] = sure
                return sure
              },
            },
          ],
          run: (_, { state }) => state,
        }),
      )
      expect((await call(opened, 'tool', {}, invocation)).structured).toEqual({ sure: true })
      expect((await call(opened, 'tool', {}, invocation)).structured).toEqual({ sure: true })
      expect(invocation.asked).toHaveLength(2)
    })

    it('that throw fail the call with what they throw', async () => {
      const broken: Guard = {
        name: 'broken',
        allows: () => {
          throw new Error('no access list')
        },
      }
      const { view: opened } = await view((registry) =>
        registry.addTool({ name: 'tool', guards: [broken], run: () => 'never' }),
      )
      expect(await call(opened, 'tool', {})).toEqual({ isError: true, content: [text('no access list')] })
    })
  })

  describe('interceptors', () => {
    it('wrap the handler, the registry’s outermost, and may replace arguments and result', async () => {
      const steps: string[] = []
      const step =
        (name: string): Interceptor =>
        async (told, next) => {
          steps.push(`${name} in ${JSON.stringify(told.arguments)}`)
          const given = await next({ ...told.arguments, [name]: true })
          steps.push(`${name} out ${String(given)}`)
          return `${name}(${String(given)})`
        }
      const { view: opened } = await view(
        (registry) =>
          registry.addTool({
            name: 'tool',
            input: z.object({ n: z.number().default(3) }),
            interceptors: [step('b'), step('c')],
            run: (args) => JSON.stringify(args),
          }),
        { interceptors: [step('a')] },
      )
      expect(await call(opened, 'tool', {})).toEqual({
        content: [text('a(b(c({"n":3,"a":true,"b":true,"c":true})))')],
      })
      expect(steps).toEqual([
        'a in {"n":3}',
        'b in {"n":3,"a":true}',
        'c in {"n":3,"a":true,"b":true}',
        'c out {"n":3,"a":true,"b":true,"c":true}',
        'b out c({"n":3,"a":true,"b":true,"c":true})',
        'a out b(c({"n":3,"a":true,"b":true,"c":true}))',
      ])
    })

    it('may answer without the handler, or try it again', async () => {
      let runs = 0
      const { view: opened } = await view((registry) => {
        registry.addTool({ name: 'cached', interceptors: [() => 'kept'], run: () => 'never' })
        registry.addTool({
          name: 'flaky',
          interceptors: [(_, next) => next().catch(() => next())],
          run: () => {
            runs += 1
            if (runs === 1) throw new Error('the first time')
            return `run ${runs}`
          },
        })
      })
      expect(await call(opened, 'cached', {})).toEqual({ content: [text('kept')] })
      expect(await call(opened, 'flaky', {})).toEqual({ content: [text('run 2')] })
    })

    it('see a stream at its end', async () => {
      const { view: opened } = await view((registry) =>
        registry.addTool({
          name: 'stream',
          interceptors: [async (_, next) => ({ of: await next() })],
          async *run() {
            yield 'a'
            await Promise.resolve()
            yield 'b'
          },
        }),
      )
      const invocation = new ScriptedInvocation()
      expect((await call(opened, 'stream', {}, invocation)).structured).toEqual({ of: 'ab' })
      expect(invocation.emissions).toHaveLength(2)
    })

    it('run around reads and prompts too; their results are checked like any result', async () => {
      const { view: opened } = await view((registry) => {
        registry.addResource({
          uri: 'x:1',
          name: 'x',
          interceptors: [async (_, next) => `${String(await next())}!`],
          read: 'text',
        })
        registry.addPrompt({ name: 'p', interceptors: [() => ({ no: 'prompt' })], get: () => 'x' })
        registry.addTool({
          name: 'typed',
          output: z.object({ n: z.number() }),
          interceptors: [() => ({ n: 'x' })],
          run: () => ({ n: 1 }),
        })
      })
      const read = await opened.resourceFor('x:1')?.read(new ScriptedInvocation())
      expect(read?.contents[0]?.['text']).toBe('text!')
      await expect(opened.prompt('p')?.get({}, new ScriptedInvocation())).rejects.toThrow(
        'The content of a prompt message',
      )
      expect((await call(opened, 'typed', {})).isError).toBe(true)
    })
  })

  describe('error mappers', () => {
    class Missing extends Error {}
    it('make errors or results of what was thrown: the tool’s own first, then the registry’s', async () => {
      const { view: opened } = await view(
        (registry) => {
          const run = ({ kind }: { readonly kind?: unknown }) => {
            if (kind === 'missing') throw new Missing('no such row')
            throw new Error(`fault ${String(kind)}`)
          }
          registry.addTool({
            name: 'mapped',
            mapError: (error) => (error instanceof Missing ? { found: false } : undefined),
            run,
          })
          registry.addTool({ name: 'plain', run })
          registry.addResource({
            uri: 'x:1',
            name: 'x',
            read: () => {
              throw new Missing('no such file')
            },
          })
        },
        {
          mapError: (error, { name }) => {
            if (error instanceof Missing) return new ProtocolError(-31_404, `${name}: ${error.message}`)
            return undefined
          },
        },
      )
      expect((await call(opened, 'mapped', { kind: 'missing' })).structured).toEqual({ found: false })
      expect(await call(opened, 'mapped', { kind: 'x' })).toEqual({
        isError: true,
        content: [text('fault x')],
      })
      await expect(call(opened, 'plain', { kind: 'missing' })).rejects.toMatchObject({
        code: -31_404,
        message: 'plain: no such row',
      })
      await expect(opened.resourceFor('x:1')?.read(new ScriptedInvocation())).rejects.toMatchObject({
        code: -31_404,
        message: 'x: no such file',
      })
    })

    it('see what a client could not answer, and not what a guard refused or the schema did', async () => {
      const seen: string[] = []
      const { view: opened } = await view(
        (registry) => {
          registry.addTool({ name: 'asks', run: (_, ctx) => ctx.sample('x') })
          registry.addTool({ name: 'guarded', guards: [admins], run: () => 'never' })
          registry.addTool({ name: 'strict', input: z.object({ n: z.number() }), run: () => 'never' })
        },
        {
          mapError: (error) => {
            seen.push((error as Error).name)
            return 'mapped'
          },
        },
      )
      const answer = () => {
        throw new InputUnavailableError('This client cannot sample.', { sampling: {} })
      }
      expect(await call(opened, 'asks', {}, new ScriptedInvocation({ answer }))).toEqual({
        content: [text('mapped')],
      })
      await expect(call(opened, 'guarded', {})).rejects.toMatchObject(forbidden('admins'))
      expect(await call(opened, 'strict', { n: 'x' })).toMatchObject({ isError: true })
      expect(seen).toEqual(['InputUnavailableError'])
    })
  })

  it('metadata of the definition stands over that of the registry, for all of them', async () => {
    const roles: Guard = {
      name: 'roles',
      allows: (_, { headers, metadata }) => headers['x-role'] === metadata['role'],
    }
    const { view: opened } = await view(
      (registry) => {
        const run = (_: unknown, { metadata }: { metadata: object }) => metadata
        registry.addTool({ name: 'public', metadata: { role: undefined }, run })
        registry.addTool({ name: 'inner', run })
      },
      { guards: [roles], metadata: { role: 'admin', shop: 1 } },
    )
    expect(await call(opened, 'public', {})).toMatchObject({ structured: { shop: 1 } })
    await expect(call(opened, 'inner', {})).rejects.toMatchObject(forbidden('roles'))
    expect((await call(opened, 'inner', {}, admin())).structured).toEqual({ role: 'admin', shop: 1 })
  })

  it('changes with its definition, and nobody is notified', async () => {
    const { view: opened, registry } = await view(() => undefined)
    const told: unknown[] = []
    const first = new Promise((resolve) => opened.onChange(resolve))
    const tool = registry.addTool({ name: 'tool', run: () => 'in' })
    await first
    opened.onChange((change) => told.push(change))
    tool.update({ guards: [admins] })
    await expect(call(opened, 'tool', {})).rejects.toMatchObject(forbidden('admins'))
    tool.update({ guards: undefined })
    expect(await call(opened, 'tool', {})).toEqual({ content: [text('in')] })
    expect(told).toEqual([])
  })
})
