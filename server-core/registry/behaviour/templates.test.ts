import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ErrorCode } from '../../protocol/errors.ts'
import type { RegistryView } from '../entries.ts'
import { ScriptedInvocation } from '../scripted-invocation.test-support.ts'
import { inEveryPlacement } from './setup.test-support.ts'

inEveryPlacement('resource templates', ({ view }) => {
  const read = async (opened: RegistryView, uri: string): Promise<unknown> => {
    const outcome = await opened.resourceFor(uri)?.read(new ScriptedInvocation())
    const [content] = outcome?.contents ?? []
    return typeof content?.['text'] === 'string' ? JSON.parse(content['text']) : undefined
  }

  describe('typed variables', () => {
    const opened = async () => {
      const { view: registry } = await view((filled) => {
        filled.addResourceTemplate({
          uriTemplate: 'notes:{id}/{ratio}/{done}/{tags*}{?page,size,order}',
          name: 'by zod',
          variables: {
            id: z.int().min(1),
            ratio: z.number(),
            done: z.boolean(),
            tags: z.array(z.number()),
            page: z.int().default(1),
            order: z.enum(['up', 'down']).optional(),
          },
          read: (variables) => JSON.stringify(variables),
        })
        filled.addResourceTemplate({
          uriTemplate: 'plain:{id}{?page,full,list}',
          name: 'by JSON Schema',
          variables: {
            id: { type: 'integer', minimum: 1 },
            page: { type: 'number', default: 1.5 },
            full: { type: 'boolean' },
          },
          read: (variables) => JSON.stringify(variables),
        })
        filled.addResourceTemplate({
          uriTemplate: 'plain:{name}',
          name: 'not a number',
          read: ({ name }) => JSON.stringify({ name }),
        })
      })
      return registry
    }

    it('are numbers, integers, booleans and lists of them, with defaults', async () => {
      const registry = await opened()
      expect(await read(registry, 'notes:7/1.5e1/true/1,2.5')).toEqual({
        id: 7,
        ratio: 15,
        done: true,
        tags: [1, 2.5],
        page: 1,
      })
      expect(await read(registry, 'notes:7/-0.5/false/1?order=up&page=2&size=x')).toEqual({
        id: 7,
        ratio: -0.5,
        done: false,
        tags: [1],
        page: 2,
        order: 'up',
        size: 'x',
      })
      expect(await read(registry, 'plain:7')).toEqual({ id: 7, page: 1.5 })
      expect(await read(registry, 'plain:7?full=true&page=2')).toEqual({ id: 7, page: 2, full: true })
    })

    it.each([
      'notes:x/1/true/1',
      'notes:7.5/1/true/1',
      'notes:07/1/true/1',
      'notes:9007199254740993/1/true/1',
      'notes:7/1e999/true/1',
      'notes:7/0x10/true/1',
      'notes:7/%201/true/1',
      'notes:7/1/yes/1',
      'notes:7/1/true/1,x',
      'notes:7/1/true/1?page=',
    ])('%s is of no template, since a text cannot say what the type wants', async (uri) => {
      expect((await opened()).resourceFor(uri)).toBeUndefined()
    })

    it('choose the template', async () => {
      const registry = await opened()
      expect(await read(registry, 'plain:7')).toEqual({ id: 7, page: 1.5 })
      expect(await read(registry, 'plain:seven')).toEqual({ name: 'seven' })
    })

    it.each([
      ['notes:0/1/true/1', 'Variable "id" of notes:'],
      ['notes:7/1/true/1?order=sideways', 'Variable "order" of notes:'],
      ['plain:0', 'Variable "id" of plain:'],
    ])('%s breaks its schema: invalid params that name the variable', async (uri, message) => {
      const refused = read(await opened(), uri)
      await expect(refused).rejects.toMatchObject({ code: ErrorCode.invalidParams })
      await expect(refused).rejects.toThrow(message)
    })

    it('that are enums or booleans are completed from their schema, unless somebody else does', async () => {
      const { view: registry } = await view((filled) =>
        filled.addResourceTemplate({
          uriTemplate: 'x:{kind}/{size}/{sure}/{own}',
          name: 'x',
          variables: {
            kind: z.enum(['alpha', 'beta', 'gamma']),
            size: { enum: [1, 10, 20] },
            sure: { type: 'boolean' },
            own: { enum: ['a'] },
          },
          complete: { own: ['mine'] },
          read: () => '',
        }),
      )
      const ask = async (name: string, value: string) =>
        (
          await registry.complete(
            { type: 'ref/resource', uri: 'x:{kind}/{size}/{sure}/{own}' },
            { name, value },
            {},
            new ScriptedInvocation(),
          )
        )?.values
      expect(await ask('kind', 'A')).toEqual(['alpha', 'beta', 'gamma'])
      expect(await ask('kind', 'be')).toEqual(['beta'])
      expect(await ask('size', '1')).toEqual(['1', '10'])
      expect(await ask('sure', 't')).toEqual(['true'])
      expect(await ask('own', '')).toEqual(['mine'])
    })

    it('reach an interceptor as the handler gets them, and a guard as they came', async () => {
      const seen: unknown[] = []
      const { view: registry } = await view((filled) =>
        filled.addResourceTemplate({
          uriTemplate: 'x:{id}',
          name: 'x',
          variables: { id: z.int() },
          guards: [{ name: 'all', allows: (told) => seen.push(told.arguments) > 0 }],
          interceptors: [(told, next) => (seen.push(told.arguments), next({ id: 8 }))],
          read: ({ id }) => JSON.stringify({ id }),
        }),
      )
      expect(await read(registry, 'x:7')).toEqual({ id: 8 })
      expect(seen).toEqual([{ id: '7' }, { id: 7 }])
    })
  })

  it('are expanded with values that their schemas take only', async () => {
    await view((registry) => {
      const note = registry.addResourceTemplate({
        uriTemplate: 'note://{id}/{form}',
        name: 'note',
        variables: { id: z.number().int(), form: { enum: ['plain', 'loud'] } },
        read: () => 'x',
      })
      expect(note.expand({ id: 2, form: 'loud' })).toBe('note://2/loud')
      expect(() => note.expand({ id: 'x', form: 'loud' })).toThrow('cannot take "id": "x" is not an integer')
      expect(() => note.expand({ id: 2, form: 'soft' })).toThrow('"soft" is not one of "plain", "loud"')
    })
  })

  describe('completion', () => {
    it('takes the order of a function, knows the other variables, and says how many there are', async () => {
      const { view: registry } = await view((filled) =>
        filled.addResourceTemplate({
          uriTemplate: 'repo:{owner}/{name}',
          name: 'repo',
          complete: {
            name: (value, _, { owner }) => ({
              values: [`${owner ?? '?'}-${value}`, 'a'],
              total: 7,
              hasMore: true,
            }),
            owner: () => ['x', 1 as unknown as string],
          },
          read: () => '',
        }),
      )
      const ref = { type: 'ref/resource' as const, uri: 'repo:{owner}/{name}' }
      const ask = (name: string) =>
        registry.complete(ref, { name, value: 'v' }, { owner: 'ann' }, new ScriptedInvocation())
      expect(await ask('name')).toEqual({ values: ['ann-v', 'a'], total: 7, hasMore: true })
      await expect(ask('owner')).rejects.toMatchObject({
        code: ErrorCode.internalError,
        message: expect.stringContaining('A completer gives a list of texts'),
      })
    })
  })
})
