import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Registry } from '../../registry/registry.ts'
import { createServer } from '../../server/server.ts'
import { startHttpListener } from '../../listener/http-listener.ts'
import type { Subscription } from '../contract/inspection.ts'
import { NOTES, startTestHost, watchUntil, type TestHost } from '../host.test-support.ts'

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)
const INDEX = { serverId: 'this-app', uri: 'notes://index' }

let test: TestHost
beforeAll(async () => {
  test = await startTestHost({ defaultWorkspace: NOTES })
})
afterAll(() => test.close())

let streams = 0
async function call(serverId: string, name: string, args: object = {}): Promise<void> {
  const outcome = await test.client.inspect.request({
    serverId,
    callId: `call-${(streams += 1)}`,
    method: 'tools/call',
    paramsText: JSON.stringify({ name, arguments: args }),
  })
  expect(outcome.type).toBe('result')
}

function updated(serverId: string, uri: string) {
  return watchUntil(
    test.client,
    ({ resourcesUpdated = [] }) =>
      resourcesUpdated.some((each) => each.serverId === serverId && each.uri === uri),
    `updated-${(streams += 1)}`,
  )
}

/** Waits until a subscription has this state. */
function becomes(serverId: string, uri: string, type: Subscription['state']['type']) {
  return watchUntil(
    test.client,
    ({ inspections = [] }) =>
      inspections.some(
        (each) =>
          each.serverId === serverId &&
          each.subscriptions.some(({ uri: its, state }) => its === uri && state.type === type),
      ),
    `becomes-${(streams += 1)}`,
  )
}

/** How many requests of that method were sent to a server. */
async function sent(serverId: string, method: string): Promise<number> {
  const batches = await watchUntil(test.client, () => true, `sent-${(streams += 1)}`)
  const rows = batches.flatMap(({ exchanges = [] }) => exchanges)
  return rows.filter((row) => row.serverId === serverId && row.method === method).length
}

it('a subscription of 2026-07-28 brings updates, over every connection', async () => {
  const { client } = test
  expect(await client.inspection.subscribe(INDEX)).toMatchObject({ state: { type: 'subscribed' } })
  const first = updated(INDEX.serverId, INDEX.uri)
  await call(INDEX.serverId, 'create_note', { title: 'Milk' })
  await first

  await client.servers.disconnect({ id: INDEX.serverId })
  await becomes(INDEX.serverId, INDEX.uri, 'not-connected')
  await client.servers.connect({ id: INDEX.serverId })
  await becomes(INDEX.serverId, INDEX.uri, 'subscribed')
  const second = updated(INDEX.serverId, INDEX.uri)
  await call(INDEX.serverId, 'create_note', { title: 'Bread' })
  await second
  await client.inspection.unsubscribe(INDEX)
})

it('a subscription of 2025-11-25 is sent once, however often it is asked for, and ends when the user ends it', async () => {
  const { client } = test
  const { id } = await test.addApproved({
    name: 'everything',
    target: { transport: 'stdio', command: process.execPath, args: [everything, 'stdio'], env: [] },
  })
  const resource = { serverId: id, uri: 'demo://resource/dynamic/text/1' }
  expect(await client.inspection.subscribe(resource)).toMatchObject({ state: { type: 'not-connected' } })
  expect(await sent(id, 'resources/subscribe')).toBe(0)
  await client.servers.connect({ id })
  await becomes(id, resource.uri, 'subscribed')
  expect(await client.inspection.subscribe(resource)).toMatchObject({ state: { type: 'subscribed' } })
  expect(await sent(id, 'resources/subscribe')).toBe(1)

  const update = updated(id, resource.uri)
  await call(id, 'toggle-subscriber-updates')
  await update

  await client.inspection.unsubscribe(resource)
  expect(await sent(id, 'resources/unsubscribe')).toBe(1)
  await client.servers.remove({ id })
})

it('says so where a server offers no subscriptions, and sends it nothing', async () => {
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
  const asked = await client.inspection.subscribe({ serverId: id, uri: 'x:y' })
  expect(asked.state).toEqual({ type: 'not-offered' })
  expect(await sent(id, 'resources/subscribe')).toBe(0)
  await client.servers.remove({ id })
  await listener.close()
  await server.close()
})
