import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import type { Extension } from './extension.ts'
import { Extensions } from './extensions.ts'

const method = { serve: () => ({}) }

describe('the extensions of a server', () => {
  it.each(['weather', '/weather', 'com.example/', 'com example/weather', '1com/weather'])(
    'have no id like %j',
    (id) => {
      expect(() => new Extensions([{ id }])).toThrow(`"${id}" is not an id of an extension`)
    },
  )

  it.each<[string, Omit<Extension, 'id'>, string]>([
    ['a method', { methods: { 'x/y': method } }, 'the method x/y'],
    ['a notification', { notifications: { 'notifications/x': 'sent' } }, 'the notification notifications/x'],
    ['a resultType', { resultTypes: ['x'] }, 'the resultType x'],
    ['a key of _meta', { resultMeta: { 'a.b/c': () => 1 } }, 'the _meta key a.b/c'],
    ['a filter', { listen: { x: { open: () => undefined } } }, 'the filter x'],
  ])('share no %s', (_what, members, named) => {
    const two = () =>
      new Extensions([
        { id: 'a.b/one', ...members },
        { id: 'a.b/two', ...members },
      ])
    expect(two).toThrow(`the extension a.b/two claims ${named}, which the extension a.b/one has`)
  })

  it.each<[Omit<Extension, 'id'>, string]>([
    [{ methods: { 'tools/call': method } }, 'the method tools/call'],
    [{ methods: { ping: method } }, 'the method ping'],
    [{ notifications: { 'notifications/progress': 'sent' } }, 'the notification notifications/progress'],
    [{ resultTypes: ['complete'] }, 'the resultType complete'],
    [{ listen: { toolsListChanged: { open: () => undefined } } }, 'the filter toolsListChanged'],
    [
      { resultMeta: { 'io.modelcontextprotocol/serverInfo': () => 1 } },
      'the _meta key io.modelcontextprotocol/serverInfo',
    ],
  ])('take nothing from the protocol: %j', (members, named) => {
    expect(() => new Extensions([{ id: 'a.b/one', ...members }])).toThrow(
      `the extension a.b/one claims ${named}, which the protocol itself has`,
    )
  })

  it('may have what only another era knows', () => {
    const extension: Extension = { id: 'a.b/one', eras: ['modern'], methods: { ping: method } }
    const extensions = new Extensions([extension])
    expect(extensions.method('ping', 'modern')?.extension).toBe(extension)
    expect(extensions.method('ping', 'legacy')).toBeUndefined()
    expect(extensions.declared('legacy')).toBeUndefined()
    expect(extensions.declared('modern')).toEqual({ 'a.b/one': {} })
  })

  it('are away while they are off', () => {
    const state: { settings?: JsonObject } = {}
    const extensions = new Extensions([
      { id: 'a.b/one', settings: () => state.settings, methods: { 'x/y': method } },
    ])
    expect(extensions.declared('modern')).toBeUndefined()
    expect(extensions.method('x/y', 'modern')).toBeUndefined()
    state.settings = { on: true }
    expect(extensions.declared('modern')).toEqual({ 'a.b/one': { on: true } })
    expect(extensions.method('x/y', 'modern')).toBeDefined()
  })
})
