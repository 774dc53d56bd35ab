import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Inspection } from '../contract/inspection.ts'
import type { ServerState } from '../contract/servers.ts'
import { NOTES, startTestHost, watchUntil, type TestHost } from '../host.test-support.ts'

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)
const APP = 'this-app'
const INDEX = 'notes://index'

let test: TestHost
let legacy: ServerState
beforeAll(async () => {
  test = await startTestHost({ defaultWorkspace: NOTES })
  legacy = await test.addApproved({
    name: 'everything',
    target: { transport: 'stdio', command: process.execPath, args: [everything, 'stdio'], env: [] },
  })
  await test.client.servers.connect({ id: legacy.id })
})
afterAll(() => test.close())

let streams = 0

/** Waits until what is set up on a server is like this. */
async function until(serverId: string, fits: (inspection: Inspection) => boolean): Promise<Inspection> {
  let found: Inspection | undefined
  await watchUntil(
    test.client,
    ({ inspections = [] }) => {
      found = inspections.find((each) => each.serverId === serverId && fits(each)) ?? found
      return found !== undefined
    },
    `until-${(streams += 1)}`,
  )
  if (found === undefined) throw new Error('the watch ended')
  return found
}

/** The parameters of the last request of that method, as they went out. */
async function lastSent(serverId: string, method: string): Promise<string> {
  const batches = await watchUntil(test.client, () => true, `sent-${(streams += 1)}`)
  const rows = batches.flatMap(({ exchanges = [] }) => exchanges)
  const row = rows.findLast((each) => each.serverId === serverId && each.method === method)
  const { frames } = await test.client.traffic.frames({ seqs: row?.frames.slice(0, 1) ?? [] })
  return frames[0]?.text ?? ''
}

let calls = 0
function call(serverId: string, name: string, args: object) {
  const paramsText = JSON.stringify({ name, arguments: args })
  return test.client.inspect.request({
    serverId,
    callId: `call-${(calls += 1)}`,
    method: 'tools/call',
    paramsText,
  })
}

it('keeps a subscription over connections, counts updates, and lets go of it', async () => {
  const { client } = test
  const asked = await client.inspection.subscribe({ serverId: APP, uri: INDEX })
  expect(asked).toEqual({ uri: INDEX, state: { type: 'subscribed' }, updates: 0 })
  await call(APP, 'create_note', { title: 'Milk' })
  await until(APP, ({ subscriptions }) => subscriptions.some(({ updates }) => updates === 1))

  await client.servers.restart({ id: APP })
  const again = await until(APP, ({ subscriptions }) =>
    subscriptions.some(({ state }) => state.type === 'subscribed'),
  )
  expect(again.subscriptions).toMatchObject([{ uri: INDEX, updates: 1 }])

  await client.inspection.unsubscribe({ serverId: APP, uri: INDEX })
  expect((await until(APP, () => true)).subscriptions).toEqual([])
})

it('tells why a server does not take a subscription', async () => {
  const { client } = test
  const uri = 'notes://nowhere'
  const asked = await client.inspection.subscribe({ serverId: APP, uri })
  expect(asked).toMatchObject({ uri })
  expect(['refused', 'subscribed']).toContain(asked.state.type)
  await client.inspection.unsubscribe({ serverId: APP, uri })
})

it('sets the log level of a session, and of the session after it', async () => {
  const { client } = test
  await client.inspection.setLogLevel({ serverId: legacy.id, level: 'warning' })
  expect(await lastSent(legacy.id, 'logging/setLevel')).toContain('"level":"warning"')
  expect((await until(legacy.id, () => true)).logLevel).toBe('warning')
  await client.traffic.clear()
  await client.servers.restart({ id: legacy.id })
  await watchUntil(
    client,
    ({ exchanges = [] }) =>
      exchanges.some(({ method, outcome }) => method === 'logging/setLevel' && outcome === 'ok'),
    'level-again',
  )
})

it('completes an argument with regard to the others', async () => {
  const ref = { type: 'ref/prompt', name: 'completable-prompt' } as const
  const ask = (name: string, value: string, context: Record<string, string>) =>
    test.client.inspection.complete({ serverId: legacy.id, ref, argument: { name, value }, context })
  expect(await ask('department', 'Eng', {})).toMatchObject({ type: 'values', values: ['Engineering'] })
  expect(await ask('name', '', { department: 'Sales' })).toMatchObject({
    type: 'values',
    values: ['David', 'Eve', 'Frank'],
  })
  expect(await ask('nothing', '', {})).toMatchObject({ type: 'values', values: [] })
})
