import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../protocol/limits.ts'
import type { JsonObject } from '../protocol/json.ts'
import { Registry } from '../registry/registry.ts'
import { connectTo, envelope, serveRegistry, type RawClient } from './raw-client.test-support.ts'
import { createServer } from './server.ts'

const CACHING = {
  discover: { ttlMs: 60_000, scope: 'public' },
  tools: { ttlMs: 1, scope: 'public' },
  prompts: { ttlMs: 2, scope: 'private' },
  resources: { ttlMs: 3, scope: 'public' },
  resourceTemplates: { ttlMs: 4, scope: 'private' },
} as const
const CITY = { type: 'object', properties: { city: { type: 'string' } } }

function registry(): Registry {
  const made = new Registry()
  for (const name of ['a', 'b', 'c']) {
    made.addTool({ name, run: () => name })
    made.addPrompt({ name, get: () => name })
    made.addResource({ uri: `x://${name}`, name, read: name })
    made.addResourceTemplate({ uriTemplate: `${name}://{id}`, name, read: ({ id }) => id })
  }
  made.addResource({ uri: 'x://kept', name: 'kept', cache: { ttlMs: 9, scope: 'public' }, read: 'kept' })
  made.addResourceTemplate({
    uriTemplate: 'kept://{id}',
    name: 'kept',
    cache: { ttlMs: 8, scope: 'private' },
    read: async ({ id }, ctx) => {
      if (id === 'ask') await ctx.elicit('City?', CITY, { key: 'city' })
      return id
    },
  })
  return made
}

const limits = { ...DEFAULT_LIMITS, pageItems: 2 }
const hintsOf = (result: JsonObject | undefined) => [result?.['ttlMs'], result?.['cacheScope']]

async function ask(client: RawClient, method: string, params: JsonObject = {}) {
  const { result } = await client.request(method, { ...params, _meta: envelope({ elicitation: {} }) })
  return result
}

/** The hints of every page of a list. */
async function pagesOf(client: RawClient, method: string): Promise<unknown[]> {
  const hints: unknown[] = []
  let cursor: unknown
  do {
    const result = await ask(client, method, cursor === undefined ? {} : { cursor })
    hints.push(hintsOf(result))
    cursor = result?.['nextCursor']
  } while (cursor !== undefined)
  return hints
}

describe('caching hints of 2026-07-28', () => {
  it('are those of the author, the same on every page', async () => {
    const { client } = await serveRegistry(registry(), { caching: CACHING, limits })
    expect(hintsOf(await ask(client, 'server/discover'))).toEqual([60_000, 'public'])
    expect(await pagesOf(client, 'tools/list')).toEqual([
      [1, 'public'],
      [1, 'public'],
    ])
    expect(await pagesOf(client, 'prompts/list')).toEqual([
      [2, 'private'],
      [2, 'private'],
    ])
    expect(await pagesOf(client, 'resources/list')).toEqual([
      [3, 'public'],
      [3, 'public'],
    ])
    expect(await pagesOf(client, 'resources/templates/list')).toEqual([
      [4, 'private'],
      [4, 'private'],
    ])
  })

  it('are 0 and private where nobody says more', async () => {
    const { client } = await serveRegistry(registry())
    const none = [0, 'private']
    expect(hintsOf(await ask(client, 'server/discover'))).toEqual(none)
    for (const kind of ['tools', 'prompts', 'resources', 'resources/templates']) {
      expect(await pagesOf(client, `${kind}/list`)).toEqual([none])
    }
    expect(hintsOf(await ask(client, 'resources/read', { uri: 'x://a' }))).toEqual(none)
  })

  it('of a resource are its own', async () => {
    const { client } = await serveRegistry(registry())
    expect(hintsOf(await ask(client, 'resources/read', { uri: 'x://kept' }))).toEqual([9, 'public'])
    expect(hintsOf(await ask(client, 'resources/read', { uri: 'kept://1' }))).toEqual([8, 'private'])
    const { contents } = (await ask(client, 'resources/list')) as { contents?: unknown }
    expect(contents).toBeUndefined()
    expect(JSON.stringify(await ask(client, 'resources/list'))).not.toContain('"cache"')
  })

  it('are not for results that used answers of the client, nor for questions', async () => {
    const { client } = await serveRegistry(registry())
    const uri = 'kept://ask'
    const asked = await ask(client, 'resources/read', { uri })
    expect(asked).toMatchObject({ resultType: 'input_required' })
    expect(asked).not.toHaveProperty('ttlMs')
    const inputResponses = { city: { action: 'accept', content: { city: 'Oslo' } } }
    const { requestState } = asked as { requestState?: string }
    const retried = await ask(client, 'resources/read', { uri, inputResponses, requestState })
    expect(hintsOf(retried)).toEqual([0, 'private'])
    expect(hintsOf(await ask(client, 'resources/read', { uri, inputResponses }))).toEqual([0, 'private'])
  })

  it('are on nothing else', async () => {
    const { client } = await serveRegistry(registry(), { caching: CACHING })
    for (const [method, params] of [
      ['tools/call', { name: 'a' }],
      ['prompts/get', { name: 'a' }],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'a' }, argument: { name: 'x', value: '' } }],
    ] as const) {
      expect(await ask(client, method, params)).not.toHaveProperty('ttlMs')
    }
    const { server } = await serveRegistry(registry(), { caching: CACHING })
    const { client: old } = await connectTo(server)
    await old.initialize()
    expect((await old.request('tools/list')).result).not.toHaveProperty('ttlMs')
  })

  it('that are invalid are rejected when the server is created', () => {
    const info = { name: 'test', version: '1' }
    const make = (tools: object) => () =>
      createServer({ registry: new Registry(), info, caching: { tools: tools as never } })
    expect(make({ ttlMs: -1, scope: 'public' })).toThrow(
      'caching.tools.ttlMs is -1; expected whole milliseconds from 0',
    )
    expect(make({ ttlMs: 0.5, scope: 'public' })).toThrow('caching.tools.ttlMs')
    expect(make({ ttlMs: 1, scope: 'shared' })).toThrow('caching.tools.scope is "shared"')
  })
})
