import { describe, expect, it } from 'vitest'
import type { RegistryChange, RegistryView } from '../entries.ts'
import type { Registry } from '../registry.ts'
import { inEveryPlacement, text } from './setup.test-support.ts'

/** The notifications from here until the registry reports that all came: they arrive in order. */
function recorder(opened: RegistryView, registry: Registry) {
  const changes: RegistryChange[] = []
  opened.onChange((change) => {
    if (change.type === 'list') changes.push(change)
  })
  return async () => {
    const end = new Promise<void>((resolve) => {
      const stop = opened.onChange((change) => {
        if (change.type !== 'updated') return
        stop()
        resolve()
      })
    })
    registry.resourceUpdated('x:end')
    await end
    return changes.splice(0).map((change) => (change.type === 'list' ? change.kind : change.uri))
  }
}

const names = (opened: RegistryView) => opened.tools().map(({ name }) => name)

inEveryPlacement('what is seen', ({ call, view }) => {
  describe('of entries that are not exposed', () => {
    it('is nothing, until it is switched on: in its place, with one change', async () => {
      const { view: opened, registry } = await view((filled) =>
        filled.addTool({ name: 'first', run: () => 1 }),
      )
      const told = recorder(opened, registry)
      const hidden = registry.addTool({ name: 'hidden', exposed: false, run: () => 'here' })
      expect(await told()).toEqual([])
      registry.addTool({ name: 'last', run: () => 3 })
      expect(await told()).toEqual(['tools'])
      expect(names(opened)).toEqual(['first', 'last'])
      expect(opened.tool('hidden')).toBeUndefined()

      hidden.update({ exposed: true })
      expect(await told()).toEqual(['tools'])
      expect(names(opened)).toEqual(['first', 'hidden', 'last'])
      expect(await call(opened, 'hidden', {})).toEqual({ content: [text('here')] })

      hidden.update({ exposed: false, title: 'Hidden' })
      expect(await told()).toEqual(['tools'])
      hidden.update({ title: 'Still hidden' })
      hidden.remove()
      expect(await told()).toEqual([])
      expect(names(opened)).toEqual(['first', 'last'])
    })

    it('is its name, which stays taken', async () => {
      const { registry } = await view((filled) =>
        filled.addTool({ name: 'hidden', exposed: false, run: () => 1 }),
      )
      expect(() => registry.addTool({ name: 'hidden', run: () => 2 })).toThrow('registered already')
    })

    it('holds for resources, templates and prompts alike', async () => {
      const { view: opened, registry } = await view(() => undefined)
      const told = recorder(opened, registry)
      const resource = registry.addResource({ uri: 'x:1', name: 'x', exposed: false, read: '' })
      const template = registry.addResourceTemplate({
        uriTemplate: 'y:{id}',
        name: 'y',
        exposed: false,
        read: () => '',
      })
      const prompt = registry.addPrompt({ name: 'p', exposed: false, get: () => '' })
      expect(await told()).toEqual([])
      expect(opened.resourceFor('x:1') ?? opened.resourceFor('y:1') ?? opened.prompt('p')).toBeUndefined()
      for (const handle of [resource, template, prompt]) handle.update({ exposed: true })
      expect(await told()).toEqual(['resources', 'resources', 'prompts'])
      expect(opened.resourceFor('x:1')).toBeDefined()
      expect(opened.resourceFor('y:1')).toBeDefined()
      expect(opened.prompt('p')).toBeDefined()
    })
  })

  describe('while all is switched off', () => {
    const filled = (registry: Registry) => {
      registry.addTool({ name: 'tool', run: () => 1 })
      registry.addResource({ uri: 'x:1', name: 'x', read: '' })
      registry.addResourceTemplate({ uriTemplate: 'y:{id}', name: 'y', read: () => '' })
    }

    it('is nothing; each kind that had entries is notified once', async () => {
      const { view: opened, registry } = await view(filled)
      const told = recorder(opened, registry)
      const tools = opened.tools()
      registry.setEnabled(false)
      registry.setEnabled(false)
      expect(await told()).toEqual(['tools', 'resources'])
      expect(registry.enabled).toBe(false)
      expect([opened.tools(), opened.resources(), opened.resourceTemplates()]).toEqual([[], [], []])
      expect(opened.tool('tool') ?? opened.resourceFor('x:1') ?? opened.resourceFor('y:1')).toBeUndefined()
      expect(opened.listStability('tools')).toBe('may-appear')
      registry.addTool({ name: 'later', run: () => 2 })
      registry.addTool({ name: 'hidden', exposed: false, run: () => 3 })
      expect(await told()).toEqual([])
      registry.setEnabled(true)
      expect(await told()).toEqual(['tools', 'resources'])
      expect(names(opened)).toEqual(['tool', 'later'])
      expect(opened.tools()[0]).toMatchObject({ name: tools[0]?.name })
    })
  })

  describe('of a batch', () => {
    it('is its end: each kind is notified once, and only if its list is another one', async () => {
      const { view: opened, registry } = await view((filled) =>
        filled.addTool({ name: 'kept', description: 'same', run: () => 1 }),
      )
      const told = recorder(opened, registry)
      registry.batch(() => {
        for (const name of ['a', 'b', 'c']) registry.addTool({ name, run: () => name })
        registry.addPrompt({ name: 'p', get: () => '' }).remove()
        registry.batch(() => registry.addResource({ uri: 'x:1', name: 'x', read: '' }))
        registry.addResourceTemplate({ uriTemplate: 'y:{id}', name: 'y', read: () => '' })
      })
      expect(await told()).toEqual(['tools', 'resources'])
      expect(names(opened)).toEqual(['kept', 'a', 'b', 'c'])
    })

    it('that throws is what was done until then', async () => {
      const { view: opened, registry } = await view(() => undefined)
      const told = recorder(opened, registry)
      expect(() =>
        registry.batch(() => {
          registry.addTool({ name: 'a', run: () => 1 })
          registry.addTool({ name: 'a', run: () => 1 })
        }),
      ).toThrow('registered already')
      expect(await told()).toEqual(['tools'])
      registry.addTool({ name: 'b', run: () => 1 })
      expect(await told()).toEqual(['tools'])
      expect(names(opened)).toEqual(['a', 'b'])
    })
  })
})
