import { describe, expect, it } from 'vitest'
import { ErrorCode } from '../../protocol/errors.ts'
import type { RegistryView } from '../entries.ts'
import { ResourceNotFoundError } from '../errors.ts'
import { resourceListing } from '../listing.ts'
import { ScriptedInvocation } from '../scripted-invocation.test-support.ts'
import { inEveryPlacement } from './setup.test-support.ts'

inEveryPlacement('resources and templates', ({ view }) => {
  describe('resources', () => {
    const opened = () =>
      view((registry) => {
        registry.addResource({
          uri: 'x:static',
          name: 'static',
          size: 3,
          annotations: { priority: 1 },
          read: 'abc',
        })
        registry.addResource({ uri: 'x:bytes', name: 'bytes', read: new Uint8Array([1, 2]) })
        registry.addResource({
          uri: 'x:many',
          name: 'many',
          mimeType: 'text/markdown',
          read: (_, uri) => [
            '# one',
            new Uint8Array([255]),
            { uri: `${uri}#2`, text: '{}', mimeType: 'application/json', _meta: { a: 1 } },
          ],
        })
        registry.addResource({ uri: 'x:gone', name: 'gone', read: () => undefined })
        registry.addResource({
          uri: 'x:bad',
          name: 'bad',
          read: () => {
            throw new Error('disk on fire')
          },
        })
        registry.addResourceTemplate({
          uriTemplate: 'x:{id}{?page}',
          name: 'by id',
          complete: { id: ['alpha', 'beta', 'alphabet'] },
          list: () => [
            { uri: 'x:1', name: 'one', mimeType: 'text/plain' },
            { uri: 'x:static', name: 'hidden by the static one' },
          ],
          read: ({ id, page }, ctx, uri) => `${id} ${page ?? '-'} ${uri} ${ctx.revision}`,
        })
        registry.addResourceTemplate({
          uriTemplate: 'x:{+rest}',
          name: 'rest',
          read: ({ rest }) => `rest ${rest}`,
        })
      })
    const read = async (registry: RegistryView, uri: string) => {
      const found = registry.resourceFor(uri)
      if (found === undefined) throw new Error(`nothing at ${uri}`)
      return found.read(new ScriptedInvocation())
    }

    it('are read as text, bytes or several contents', async () => {
      const { view: registry } = await opened()
      expect(await read(registry, 'x:static')).toEqual({
        contents: [{ uri: 'x:static', mimeType: 'text/plain', text: 'abc' }],
      })
      expect(await read(registry, 'x:bytes')).toEqual({
        contents: [{ uri: 'x:bytes', mimeType: 'application/octet-stream', blob: 'AQI=' }],
      })
      expect(await read(registry, 'x:many')).toEqual({
        contents: [
          { uri: 'x:many', mimeType: 'text/markdown', text: '# one' },
          { uri: 'x:many', mimeType: 'text/markdown', blob: '/w==' },
          { uri: 'x:many#2', mimeType: 'application/json', text: '{}', _meta: { a: 1 } },
        ],
      })
    })

    it('give no content with white space in its URI, and nothing that is not a content', async () => {
      const { view: registry } = await view((filled) => {
        filled.addResource({ uri: 'x:space', name: 'x', read: () => ({ uri: 'x: 1', text: '' }) })
        filled.addResource({ uri: 'x:number', name: 'x', read: () => ({ size: 1 }) })
        filled.addResource({ uri: 'x:none', name: 'x', read: () => [] })
      })
      await expect(read(registry, 'x:space')).rejects.toThrow('empty or has white space')
      await expect(read(registry, 'x:number')).rejects.toMatchObject({ code: ErrorCode.internalError })
      await expect(read(registry, 'x:none')).rejects.toBeInstanceOf(ResourceNotFoundError)
    })

    it('that do not exist or fail give errors that differ', async () => {
      const { view: registry } = await opened()
      const gone = read(registry, 'x:gone')
      await expect(gone).rejects.toBeInstanceOf(ResourceNotFoundError)
      await expect(gone).rejects.toMatchObject({ code: ErrorCode.invalidParams, data: { uri: 'x:gone' } })
      await expect(read(registry, 'x:bad')).rejects.toMatchObject({
        code: ErrorCode.internalError,
        message: 'disk on fire',
      })
    })

    it('are found by the first template that matches', async () => {
      const { view: registry } = await opened()
      expect((await read(registry, 'x:7?page=2')).contents[0]?.['text']).toBe('7 2 x:7?page=2 2026-07-28')
      expect((await read(registry, 'x:a%20b')).contents[0]?.['text']).toBe('a b - x:a%20b 2026-07-28')
      expect((await read(registry, 'x:a/b')).contents[0]?.['text']).toBe('rest a/b')
      expect(registry.resourceFor('y:1')).toBeUndefined()
    })

    it('are listed: the static ones, then those of templates, each URI once', async () => {
      const { view: registry } = await opened()
      const listed = await resourceListing(registry, new ScriptedInvocation())
      expect(listed.map(({ uri, name }) => [uri, name])).toEqual([
        ['x:static', 'static'],
        ['x:bytes', 'bytes'],
        ['x:many', 'many'],
        ['x:gone', 'gone'],
        ['x:bad', 'bad'],
        ['x:1', 'one'],
      ])
      expect(listed[0]).toMatchObject({ size: 3, annotations: { priority: 1 }, mimeType: 'text/plain' })
    })

    it('complete the variables of their template', async () => {
      const { view: registry } = await opened()
      const ref = { type: 'ref/resource' as const, uri: 'x:{id}{?page}' }
      const ask = (name: string, value: string) =>
        registry.complete(ref, { name, value }, {}, new ScriptedInvocation())
      expect(await ask('id', 'AL')).toEqual({ values: ['alpha', 'alphabet'] })
      expect(await ask('id', 'bet')).toEqual({ values: ['beta', 'alphabet'] })
      expect(await ask('page', '')).toEqual({ values: [] })
    })
  })
})
