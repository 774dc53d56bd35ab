import { describe, expect, it } from 'vitest'
import { Registry } from '../registry/registry.ts'
import { ChangeHub } from './changes.ts'

const tool = { run: () => '' }

/** The notifications before that of a prompt, which is added after everything else. */
async function toldOf(work: (registry: Registry, hub: ChangeHub) => void, registry = new Registry()) {
  const hub = new ChangeHub(registry)
  registry.onChange((change) => {
    hub.registryChanged(change)
  })
  const told: string[] = []
  const over = Promise.withResolvers<void>()
  hub.listen(({ method }) => {
    if (method.includes('prompts')) over.resolve()
    else told.push(method)
  })
  work(registry, hub)
  registry.addPrompt({ name: 'last', get: () => '' })
  await over.promise
  hub.close()
  return told
}

const TOOLS = 'notifications/tools/list_changed'

describe('changes of a turn', () => {
  it('are sent once', async () => {
    const told = await toldOf((registry) => {
      registry.addTool({ name: 'a', ...tool })
      registry.addTool({ name: 'b', ...tool })
    })
    expect(told).toEqual([TOOLS])
  })

  it('are not told where they leave everything as it was', async () => {
    const registry = new Registry()
    registry.addTool({ name: 'stays', ...tool })
    registry.addResource({ uri: 'x:1', name: 'one', read: () => '' })
    const told = await toldOf(() => {
      registry.addTool({ name: 'goes', ...tool }).remove()
      registry.setEnabled(false)
      registry.setEnabled(true)
    }, registry)
    expect(told).toEqual([])
  })

  it('are sent where one entry replaced another', async () => {
    const registry = new Registry()
    const old = registry.addTool({ name: 'one', ...tool })
    const told = await toldOf(() => {
      old.remove()
      registry.addTool({ name: 'one', description: 'another', ...tool })
    }, registry)
    expect(told).toEqual([TOOLS])
  })

  it('are sent where a client read the list in between', async () => {
    const told = await toldOf((registry, hub) => {
      const added = registry.addTool({ name: 'goes', ...tool })
      hub.given('tools')
      added.remove()
    })
    expect(told).toEqual([TOOLS])
  })

  it('are sent where a handler reports them, whatever is listed', async () => {
    expect(
      await toldOf((_registry, hub) => {
        hub.announce({ type: 'list', kind: 'resources' })
      }),
    ).toEqual(['notifications/resources/list_changed'])
  })
})
