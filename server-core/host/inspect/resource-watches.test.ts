import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Registry } from '../../registry/registry.ts'
import { createServer } from '../../server/server.ts'
import { startHttpListener } from '../../transports/http-listener.ts'
import type { ResourceWatch } from '../contract/inspect.ts'
import { NOTES, startTestHost, watchUntil, type HostClient, type TestHost } from '../host.test-support.ts'

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)
const INDEX = { serverId: 'this-app', uri: 'notes://index' }

let test: TestHost
beforeAll(async () => {
  test = await startTestHost({ defaultWorkspace: NOTES })
})
afterAll(() => test.close())

/** Takes the states of one watch. */
async function watch(client: HostClient, serverId: string, uri: string) {
  const abort = new AbortController()
  const states = await client.inspect.watchResource({ serverId, uri }, { signal: abort.signal })
  return {
    next: async (): Promise<ResourceWatch | undefined> => {
      const { value, done } = await states.next()
      return done === true ? undefined : value
    },
    end: async () => {
      abort.abort()
      for (;;) if ((await states.next()).done === true) return
    },
  }
}

let calls = 0
async function call(serverId: string, name: string, args: object = {}): Promise<void> {
  calls += 1
  const paramsText = JSON.stringify({ name, arguments: args })
  const callId = `watched-${calls}`
  const outcome = await test.client.inspect.request({ serverId, callId, method: 'tools/call', paramsText })
  expect(outcome.type).toBe('result')
}

function told(serverId: string, uri: string) {
  return watchUntil(
    test.client,
    ({ resourcesUpdated = [] }) =>
      resourcesUpdated.some((each) => each.serverId === serverId && each.uri === uri),
    `told-${calls}`,
  )
}

/** How many requests of that method were sent to a server. */
async function sent(serverId: string, method: string): Promise<number> {
  const batches = await watchUntil(test.client, () => true, `sent-${(calls += 1)}`)
  const rows = batches.flatMap(({ exchanges = [] }) => exchanges)
  return rows.filter((row) => row.serverId === serverId && row.method === method).length
}

describe('a resource of a server of 2026-07-28', () => {
  it('is told to have changed while it is watched, over every connection', async () => {
    const { client } = test
    const watching = await watch(client, INDEX.serverId, INDEX.uri)
    expect(await watching.next()).toEqual({ state: 'watching' })
    const first = told(INDEX.serverId, INDEX.uri)
    await call(INDEX.serverId, 'create_note', { title: 'Milk' })
    await first

    await client.servers.disconnect({ id: INDEX.serverId })
    expect(await watching.next()).toEqual({ state: 'not-connected' })
    await client.servers.connect({ id: INDEX.serverId })
    expect(await watching.next()).toEqual({ state: 'watching' })
    const second = told(INDEX.serverId, INDEX.uri)
    await call(INDEX.serverId, 'create_note', { title: 'Bread' })
    await second
    await watching.end()
  })
})

describe('a resource of a server of 2025-11-25', () => {
  it('is subscribed once for all who watch, and let go with the last of them', async () => {
    const { client } = test
    const { id } = await test.addApproved({
      name: 'everything',
      target: { transport: 'stdio', command: process.execPath, args: [everything, 'stdio'], env: [] },
    })
    const uri = 'demo://resource/dynamic/text/1'
    const one = await watch(client, id, uri)
    expect(await one.next()).toEqual({ state: 'not-connected' })
    await client.servers.connect({ id })
    expect(await one.next()).toEqual({ state: 'watching' })
    const other = await watch(client, id, uri)
    expect(await other.next()).toEqual({ state: 'watching' })
    expect(await sent(id, 'resources/subscribe')).toBe(1)

    const update = told(id, uri)
    await call(id, 'toggle-subscriber-updates')
    await update

    await one.end()
    expect(await sent(id, 'resources/unsubscribe')).toBe(0)
    await other.end()
    await expect.poll(() => sent(id, 'resources/unsubscribe')).toBe(1)
    await client.servers.remove({ id })
  })
})

it('says so where a server offers no subscriptions, and asks it nothing', async () => {
  const { client } = test
  const registry = new Registry()
  registry.addTool({ name: 'only', run: () => '' })
  const server = createServer({ registry, info: { name: 'plain', version: '1' } })
  const listener = await startHttpListener({ server, port: 0 })
  const { id } = await test.addApproved({
    name: 'plain',
    target: { transport: 'http', url: listener.url, headers: [] },
  })
  await client.servers.connect({ id })
  const watching = await watch(client, id, 'x:y')
  expect(await watching.next()).toEqual({ state: 'not-offered' })
  await watching.end()
  await client.servers.remove({ id })
  await listener.close()
  await server.close()
})
