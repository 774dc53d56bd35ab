import { expect, it } from 'vitest'
import { NOTES, startTestHost, watchUntil } from '../host.test-support.ts'

it('a call of an entry is sent as its counts, without the whole state of the registry', async () => {
  const test = await startTestHost({ defaultWorkspace: NOTES })
  const key = 'tool:list_notes'
  let calls = 0
  const call = async (): Promise<void> => {
    calls += 1
    await test.client.inspect.request({
      serverId: 'this-app',
      callId: `call ${calls}`,
      method: 'tools/call',
      paramsText: '{"name":"list_notes","arguments":{}}',
    })
  }
  // The whole state has the counts too, if something else changed at the same time; soon nothing else does.
  const seen = new AbortController()
  const watching = watchUntil(
    test.client,
    ({ registryActivity }) => registryActivity?.entries.some((entry) => entry.key === key) === true,
  ).finally(() => seen.abort())
  while (!seen.signal.aborted) await call()
  const { registryActivity, registry } = (await watching).at(-1) ?? {}
  expect(registry).toBeUndefined()
  expect(registryActivity?.entries).toMatchObject([{ key, failures: 0, lastCaller: { name: 'Patchbay' } }])
  expect(registryActivity?.clients.find(({ own }) => own)?.calls).toBeGreaterThan(0)
  expect(registryActivity?.toolHost.pid).toBeGreaterThan(0)
  expect((await test.client.registry.state()).entries.find((entry) => entry.key === key)?.calls).toBe(calls)
  await test.close()
})
