import { expect, it } from 'vitest'
import { Registry } from '../../registry/registry.ts'
import { serveRegistry } from '../raw-client.test-support.ts'

it.each(['2024-11-05', '2025-11-25'] as const)(
  'lists tags as a member of what has some, in %s',
  async (version) => {
    const registry = new Registry()
    registry.addTool({ name: 'tagged', tags: ['weather', 'slow'], run: () => '' })
    registry.addTool({ name: 'plain', tags: [], run: () => '' })
    registry.addResource({ uri: 'a:r', name: 'r', tags: ['weather'], read: '' })
    registry.addResourceTemplate({ uriTemplate: 'a:{t}', name: 't', tags: ['weather'], read: () => '' })
    registry.addPrompt({ name: 'p', tags: ['weather'], get: () => '' })
    const { client } = await serveRegistry(registry)
    await client.initialize({}, version)
    const { result: tools } = await client.request('tools/list')
    expect(tools).toMatchObject({ tools: [{ name: 'tagged', tags: ['weather', 'slow'] }, { name: 'plain' }] })
    expect(JSON.stringify(tools)).not.toContain('"tags":[]')
    if (version === '2025-11-25') {
      expect(tools).toMatchObject({ tools: [{ _meta: { 'patchbay/tags': ['weather', 'slow'] } }, {}] })
    }
    const lists = [
      ['resources/list', 'resources'],
      ['resources/templates/list', 'resourceTemplates'],
      ['prompts/list', 'prompts'],
    ] as const
    for (const [method, member] of lists) {
      expect((await client.request(method)).result).toMatchObject({ [member]: [{ tags: ['weather'] }] })
    }
  },
)
