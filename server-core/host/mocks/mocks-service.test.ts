import { afterEach, expect, it } from 'vitest'
import type { MockEntry } from '../contract/mocks.ts'
import { startTestHost, watchUntil, type TestHost } from '../host.test-support.ts'

const hosts: TestHost[] = []
afterEach(async () => {
  for (const each of hosts.splice(0)) await each.close()
})

const WEATHER: MockEntry = {
  kind: 'tool',
  name: 'weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  answer: { kind: 'template', template: { place: '{{arguments.city}}' } },
}

async function call(test: TestHost, city: string): Promise<unknown> {
  const outcome = await test.client.inspect.request({
    serverId: 'this-app',
    callId: `call ${city}`,
    method: 'tools/call',
    paramsText: JSON.stringify({ name: 'weather', arguments: { city } }),
  })
  if (outcome.type !== 'result') expect.fail(JSON.stringify(outcome))
  return JSON.parse(outcome.messageText) as unknown
}

it('serves entries as they are drawn, answers in their place, and gives the tool back', async () => {
  const test = await startTestHost()
  hosts.push(test)
  const { client } = test
  await client.mocks.save({ entry: WEATHER })
  expect(await call(test, 'Bergen')).toMatchObject({ result: { structuredContent: { place: 'Bergen' } } })

  const seed = await client.mocks.seed({ key: 'tool:weather' })
  expect(seed).toMatchObject({
    seededFrom: 'last-result',
    answer: { result: { structuredContent: { place: 'Bergen' } } },
  })
  const answer = { kind: 'fixed' as const, result: { place: 'nowhere' } }
  const { overrides } = await client.mocks.saveOverride({
    override: { key: 'tool:weather', enabled: true, answer, seededFrom: seed.seededFrom },
  })
  expect(overrides).toHaveLength(1)
  expect(await call(test, 'Oslo')).toMatchObject({ result: { structuredContent: { place: 'nowhere' } } })
  await client.mocks.removeOverride({ key: 'tool:weather' })
  expect(await call(test, 'Voss')).toMatchObject({ result: { structuredContent: { place: 'Voss' } } })

  const renamed: MockEntry = { ...WEATHER, name: 'forecast' }
  await client.mocks.save({ entry: renamed, replaces: 'tool:weather' })
  await watchUntil(
    client,
    ({ registry }) => registry?.entries.some(({ key }) => key === 'tool:forecast') ?? false,
  )
  expect((await client.mocks.state()).entries.map(({ name }) => name)).toEqual(['forecast'])
  expect((await client.mocks.remove({ key: 'tool:forecast' })).entries).toEqual([])
})

it('refuses what cannot be served or is there already, and shows what an answer comes to', async () => {
  const test = await startTestHost()
  hosts.push(test)
  const { client } = test
  await expect(client.mocks.save({ entry: { ...WEATHER, inputSchema: { type: 'array' } } })).rejects.toThrow(
    'must be an object schema',
  )
  await client.mocks.save({ entry: WEATHER })
  await expect(client.mocks.save({ entry: WEATHER })).rejects.toThrow('tool:weather already')
  await expect(client.mocks.seed({ key: 'tool:nowhere' })).rejects.toThrow('There is no tool')
  const preview = (answer: MockEntry['answer']) =>
    client.mocks.preview({ answer, call: { arguments: { city: 'Bergen' } } })
  expect(await preview(WEATHER.answer)).toMatchObject({
    state: 'answered',
    resultText: '{\n  "place": "Bergen"\n}',
  })
  expect(await preview({ kind: 'error', code: -32000, message: 'no' })).toMatchObject({ code: -32000 })
  expect(await preview({ kind: 'code', code: 'export default ({ arguments: a }) => a.city' })).toMatchObject({
    resultText: '"Bergen"',
  })
  expect(await preview({ kind: 'template', template: { a: '{{nowhere}}' } })).toMatchObject({
    state: 'failed',
    reason: 'The template cannot be filled in: the call has no nowhere.',
  })
})
