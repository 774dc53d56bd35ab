import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { collectGarbage } from '../../collect-garbage.test-support.ts'
import { startTestHost, type TestHost } from '../host.test-support.ts'

const FLOOD = path.join(import.meta.dirname, '../../../e2e/soak/flood-server.ts')
const FRAMES = 20_000
/** Rows in one batch. */
const BATCH = 1_000
/** What the batches of one load take is more. */
const MARGIN_BYTES = 4_000_000

let host: TestHost
beforeAll(async () => {
  host = await startTestHost()
  const target = { transport: 'stdio' as const, command: process.execPath, args: [FLOOD], env: [] }
  const { id } = await host.addApproved({ name: 'flood', target })
  await host.client.servers.connect({ id })
  const paramsText = JSON.stringify({ name: 'flood', arguments: { count: FRAMES } })
  await host.client.inspect.request({ serverId: id, callId: 'flood', method: 'tools/call', paramsText })
})
afterAll(() => host.close())

/** Loads the page: takes batches until the newest. Returns how many rows came. */
async function load(): Promise<number> {
  let rows = 0
  for await (const { seq, exchanges = [] } of await host.client.events.watch({ stream: 'page' })) {
    rows += exchanges.length
    await host.client.events.acknowledge({ stream: 'page', seq })
    if (rows >= FRAMES && exchanges.length < BATCH) break
  }
  return rows
}

/** Leaves a page that did not take all it was sent. */
async function leaveEarly(): Promise<void> {
  const watch = await host.client.events.watch({ stream: 'page' })
  await watch.next()
}

async function heapBytes(): Promise<number> {
  await collectGarbage()
  return process.memoryUsage().heapUsed
}

it('leaves nothing in memory of pages that were loaded before', async () => {
  await load()
  const before = await heapBytes()
  for (let round = 0; round < 10; round += 1) {
    await leaveEarly()
    expect(await load()).toBeGreaterThanOrEqual(FRAMES)
  }
  expect((await heapBytes()) - before).toBeLessThan(MARGIN_BYTES)
})
