import { describe, expect, it } from 'vitest'
import { Registry } from '../registry/registry.ts'
import { capabilitiesOf } from './capabilities.ts'
import { envelope, serveRegistry } from './raw-client.test-support.ts'

const run = () => ''

describe('what a server declares', () => {
  it('is nothing while nothing is registered', () => {
    expect(capabilitiesOf(new Registry())).toEqual({})
  })

  it('follows from what is registered', () => {
    const registry = new Registry()
    registry.addTool({ name: 'tool', run })
    expect(capabilitiesOf(registry)).toEqual({ tools: { listChanged: true }, logging: {} })
    const resource = registry.addResource({ uri: 'note://1', name: 'one', read: run })
    expect(capabilitiesOf(registry)).toEqual({
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      logging: {},
    })
    resource.remove()
    registry.addPrompt({ name: 'prompt', get: run })
    expect(capabilitiesOf(registry)).toEqual({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    })
  })

  it('promises to tell changes only of lists that can change, and keeps what may still appear', () => {
    const registry = new Registry({
      listStabilities: { tools: 'fixed', prompts: 'fixed', resources: 'may-appear' },
    })
    registry.addTool({ name: 'tool', run })
    expect(capabilitiesOf(registry)).toEqual({
      tools: {},
      resources: { subscribe: true, listChanged: true },
      completions: {},
      logging: {},
    })
  })

  it('is said in both eras as it is when the client comes, and holds for that client', async () => {
    const registry = new Registry()
    const tool = registry.addTool({ name: 'tool', run })
    const { client } = await serveRegistry(registry)
    expect((await client.initialize()).result?.['capabilities']).not.toHaveProperty('prompts')
    registry.addPrompt({ name: 'prompt', get: run })
    tool.remove()
    await client.seen(({ method }) => method === 'notifications/tools/list_changed')
    expect(client.notifications('notifications/prompts/list_changed')).toEqual([])
    expect((await client.request('tools/list')).result).toEqual({ tools: [] })
    expect((await client.request('prompts/list')).error?.code).toBe(-32601)

    const later = (await serveRegistry(registry)).client
    const discovered = await later.request('server/discover', { _meta: envelope() })
    expect(discovered.result?.['capabilities']).toEqual({
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    })
    registry.addTool({ name: 'again', run })
    const again = await later.request('server/discover', { _meta: envelope() })
    expect(again.result?.['capabilities']).toHaveProperty('tools')
  })
})
