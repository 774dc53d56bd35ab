import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { faultSettingsSchema } from '../../faults/fault-settings.ts'
import type { WorkspaceDocument } from '../../workspace/server-entries.ts'
import { startTestHost, watchUntil, type TestHost } from '../host.test-support.ts'
import { FaultsService } from './faults-service.ts'

const hosts: TestHost[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const each of hosts.splice(0)) await each.close()
})

async function start(options: Parameters<typeof startTestHost>[0] = {}): Promise<TestHost> {
  const test = await startTestHost(options)
  hosts.push(test)
  return test
}

/** A service over a document that is kept in memory. */
async function serviceOverDocument(): Promise<{ service: FaultsService; stored: () => WorkspaceDocument }> {
  let stored: WorkspaceDocument = { servers: [] }
  const document = {
    peek: () => Promise.resolve(stored),
    update: (change: (before: WorkspaceDocument) => WorkspaceDocument) => {
      stored = change(stored)
      return Promise.resolve(stored)
    },
  }
  const service = new FaultsService({ document: () => document, changed: () => undefined })
  await service.load()
  return { service, stored: () => stored }
}

const settings = (...rules: object[]) => faultSettingsSchema.parse({ seed: 9, rules })
const request = (test: TestHost, callId: string) =>
  test.client.inspect.request({ serverId: 'this-app', callId, method: 'tools/list', paramsText: '{}' })

it('makes faults at once for who is connected, tells them, keeps them for the next start, and ends them', async () => {
  const test = await start()
  const { active } = await test.client.faults.save({
    settings: settings({ id: 'down', kind: 'status', status: 502, where: { transport: 'http' } }),
  })
  expect(active).toBe(1)
  expect(await request(test, 'one')).toMatchObject({ type: 'failure' })
  await watchUntil(test.client, ({ faults }) => (faults?.counts['down'] ?? 0) > 0)
  const { counts, recent } = await test.client.faults.state()
  expect(counts['down']).toBeGreaterThan(0)
  expect(recent[0]).toMatchObject({
    ruleId: 'down',
    transport: 'http',
    note: 'status: answered with HTTP 502',
  })
  const stored = JSON.parse(
    await readFile(path.join(test.profile, 'workspace', 'patchbay.json'), 'utf8'),
  ) as object
  expect(stored).toMatchObject({ faults: { seed: 9, rules: [{ id: 'down' }] } })

  const off = await test.client.faults.save({
    settings: settings({ id: 'down', kind: 'status', enabled: false }),
  })
  expect([off.active, off.settings.rules[0]?.enabled]).toEqual([0, false])
  expect(await request(test, 'two')).toMatchObject({ type: 'result' })
  await test.close()
  hosts.length = 0
  const again = await start({ profile: test.profile })
  expect((await again.client.faults.state()).settings).toEqual(off.settings)
})

it('keeps in force what was just saved when the document comes as it was before, and takes what others write', async () => {
  const { service } = await serviceOverDocument()
  const saving = service.save(settings({ id: 'slow', kind: 'delay' }))
  service.refresh({ servers: [] })
  expect((await saving).active).toBe(1)
  service.refresh({ servers: [] })
  expect(service.state().active).toBe(1)
  service.refresh({ servers: [], faults: settings({ id: 'theirs', kind: 'drop' }) })
  expect(service.state().settings.rules).toMatchObject([{ id: 'theirs' }])
})

it('keeps in force what was saved after a while when the document comes as the save before left it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { service, stored } = await serviceOverDocument()
  await service.save(settings({ id: 'slow', kind: 'delay' }))
  const before = stored()
  service.refresh(before)
  vi.setSystemTime(Date.now() + 60_000)
  await service.save(settings({ id: 'slow', kind: 'delay', enabled: false }))
  service.refresh({ ...before })
  expect(service.state().active).toBe(0)
})

it('refuses rules that cannot be, and leaves those that are', async () => {
  const test = await start()
  await expect(
    test.client.faults.save({
      settings: settings({ id: 'x', kind: 'session-loss', where: { transport: 'memory' } }),
    }),
  ).rejects.toThrow('session-loss cannot be made over memory; it can over http, sse.')
  await expect(
    test.client.faults.save({ settings: settings({ id: 'x', kind: 'drop' }, { id: 'x', kind: 'delay' }) }),
  ).rejects.toThrow('Two rules have the id "x".')
  expect((await test.client.faults.state()).settings.rules).toEqual([])
})
