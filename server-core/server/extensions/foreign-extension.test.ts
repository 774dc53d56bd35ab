import { describe, expect, it } from 'vitest'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { Registry } from '../../registry/registry.ts'
import { modern } from '../interop/http-raw.test-support.ts'
import { serve } from '../interop/listening.test-support.ts'
import { connectTo, envelope, serveRegistry, type RawClient } from '../raw-client.test-support.ts'
import type { DetachedRun, DetachedEnd, Extension, ExtensionNotice, ExtensionRequest } from './extension.ts'

const ID = 'com.example/weather'
const STATION = 'com.example/station'
const DECLARED = { extensions: { [ID]: { units: 'metric' } } }
const TOLD = 'notifications/weather'

/** An extension that nobody here knows: every kind of addition that there is, and what it saw. */
function weather() {
  const seen = {
    requests: [] as ExtensionRequest[],
    notices: [] as ExtensionNotice[],
    ended: Promise.withResolvers<DetachedEnd>(),
    closed: 0,
    aborted: Promise.withResolvers<unknown>(),
  }
  let change: (city: string) => void = () => undefined
  const extension: Extension = {
    id: ID,
    settings: { cities: true },
    resultTypes: ['forecast', 'ticket'],
    resultMeta: { [STATION]: ({ settings }) => settings?.['units'] },
    notifications: {
      [TOLD]: 'sent',
      'notifications/weather/observed': (notice) => void seen.notices.push(notice),
    },
    methods: {
      'weather/now': {
        nameParameter: 'city',
        serve: (request) => {
          seen.requests.push(request)
          const { city } = request.params
          if (city === 'Atlantis') throw new ProtocolError(ErrorCode.invalidParams, 'no such city')
          request.notify(TOLD, { looking: city })
          return { resultType: 'forecast', city, high: 21 }
        },
      },
      'weather/slow': {
        serve: (request) =>
          new Promise((_resolve, reject) => {
            request.signal.addEventListener('abort', () => {
              seen.aborted.resolve(request.signal.reason)
              reject(new Error('aborted'))
            })
            request.notify(TOLD, { slow: true })
          }),
      },
      'weather/odd': { serve: () => ({ resultType: 'banana' }) },
      'weather/about': { open: true, serve: () => ({ about: 'weather' }) },
    },
    listen: {
      weatherCities: {
        open: (asked, request) => {
          if (!Array.isArray(asked)) throw new ProtocolError(ErrorCode.invalidParams, 'cities are a list')
          const cities = asked.filter((city) => city === 'Oslo')
          if (cities.length === 0) return undefined
          return {
            accepted: cities,
            begin: () => {
              change = (city) => {
                request.notify(TOLD, { city })
              }
            },
            end: () => (change = () => undefined),
          }
        },
      },
    },
    calls: {
      concerns: () => true,
      admit: (_call, { settings }) => (settings === undefined ? 'leave' : 'at-once'),
      take: (): DetachedRun => ({
        result: { resultType: 'ticket', number: 7 },
        emit: () => undefined,
        ask: () => Promise.reject(new Error('nobody is there to be asked')),
        ended: seen.ended.resolve,
      }),
    },
    close: () => {
      seen.closed += 1
    },
  }
  return { extension, seen, change: (city: string) => change(city) }
}

function registry(): Registry {
  const made = new Registry()
  made.addTool({ name: 'look', run: () => 'rain' })
  return made
}

async function open() {
  const toy = weather()
  return { ...toy, ...(await serveRegistry(registry(), { extensions: [toy.extension] })) }
}

const ask = (
  client: RawClient,
  method: string,
  params: JsonObject = {},
  capabilities: JsonObject = DECLARED,
) => client.request(method, { ...params, _meta: envelope(capabilities) })

describe('an extension of somebody else, in 2026-07-28', () => {
  it('is declared with its settings', async () => {
    const { client } = await open()
    const { result } = await ask(client, 'server/discover', {}, {})
    expect(result?.['capabilities']).toMatchObject({ extensions: { [ID]: { cities: true } } })
  })

  it('serves its methods with its own resultType, and its notifications on the same stream', async () => {
    const { client, seen } = await open()
    const { result } = await ask(client, 'weather/now', { city: 'Oslo' })
    expect(result).toMatchObject({ resultType: 'forecast', city: 'Oslo', high: 21 })
    expect(client.notifications(TOLD)).toEqual([
      { jsonrpc: '2.0', method: TOLD, params: { looking: 'Oslo' } },
    ])
    expect(seen.requests[0]).toMatchObject({ revision: '2026-07-28', settings: { units: 'metric' } })
    expect((await ask(client, 'weather/now', { city: 'Atlantis' })).error).toMatchObject({ code: -32602 })
  })

  it('is refused to clients that do not declare it, and by a server that has none', async () => {
    const { client } = await open()
    expect((await ask(client, 'weather/now', { city: 'Oslo' }, {})).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [ID]: {} } } },
    })
    expect((await ask(client, 'weather/about', {}, {})).result).toMatchObject({ about: 'weather' })
    const bare = await serveRegistry(registry())
    expect((await ask(bare.client, 'weather/now', { city: 'Oslo' })).error).toMatchObject({ code: -32601 })
  })

  it('may not give a resultType that it does not name', async () => {
    const { client } = await open()
    expect((await ask(client, 'weather/odd')).error).toMatchObject({
      code: -32603,
      message: expect.stringContaining('"banana"') as string,
    })
  })

  it('is notified when its client cancels', async () => {
    const { client, seen } = await open()
    void client.request('weather/slow', { _meta: envelope(DECLARED) }, 9)
    await client.seen(({ method }) => method === TOLD)
    await client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } })
    expect(await seen.aborted.promise).toBeInstanceOf(Error)
    expect(client.messages.some(({ id }) => id === 9)).toBe(false)
  })

  it('adds its key to the _meta of every result, lists included, for clients that declare it', async () => {
    const { client } = await open()
    for (const method of ['tools/list', 'server/discover', 'weather/about']) {
      const { result } = await ask(client, method)
      expect(result?.['_meta']).toEqual({
        [STATION]: 'metric',
        'io.modelcontextprotocol/serverInfo': { name: 'test', version: '1' },
      })
      expect((await ask(client, method, {}, {})).result?.['_meta']).not.toHaveProperty([STATION])
    }
  })

  it('takes notifications of its clients, once they speak this revision', async () => {
    const { client, seen } = await open()
    await ask(client, 'tools/list')
    const params = { city: 'Oslo', _meta: envelope(DECLARED) }
    await client.send({ jsonrpc: '2.0', method: 'notifications/weather/observed', params })
    await ask(client, 'tools/list')
    expect(seen.notices).toMatchObject([
      { params: { city: 'Oslo' }, caller: 'memory', revision: '2026-07-28' },
    ])
  })

  it('delivers its own filter of subscriptions/listen, tagged like everything else', async () => {
    const { client, change } = await open()
    const notifications = { weatherCities: ['Oslo', 'Rome'], toolsListChanged: true }
    void client.request('subscriptions/listen', { notifications, _meta: envelope(DECLARED) }, 'l')
    const ack = await client.seen(({ method }) => method === 'notifications/subscriptions/acknowledged')
    expect(ack['params']).toMatchObject({
      notifications: { weatherCities: ['Oslo'], toolsListChanged: true },
    })
    change('Oslo')
    const told = await client.seen(({ method }) => method === TOLD)
    expect(told['params']).toEqual({
      city: 'Oslo',
      _meta: { 'io.modelcontextprotocol/subscriptionId': 'l' },
    })
    expect((await ask(client, 'subscriptions/listen', { notifications }, {})).error?.code).toBe(-32021)
    expect(
      (await ask(client, 'subscriptions/listen', { notifications: { weatherCities: ['Rome'] } })).result,
    ).toMatchObject({ resultType: 'complete' })
  })

  it('answers a call early and hears how its handler ended', async () => {
    const { client, seen } = await open()
    const { result } = await ask(client, 'tools/call', { name: 'look' })
    expect(result).toMatchObject({ resultType: 'ticket', number: 7 })
    expect(await seen.ended.promise).toMatchObject({
      type: 'result',
      isError: false,
      result: { content: [{ text: 'rain' }] },
    })
    expect((await ask(client, 'tools/call', { name: 'look' }, {})).result).toMatchObject({
      resultType: 'complete',
    })
  })

  it('has its parameter repeated in Mcp-Name over HTTP', async () => {
    const { extension } = weather()
    const { url } = await serve(registry(), { extensions: [extension] })
    const now = (headers: Record<string, string>) =>
      modern(url, 'weather/now', { city: 'Oslo' }, { capabilities: DECLARED, headers })
    const codeOf = async (response: Awaited<ReturnType<typeof now>>) => {
      const { error } = (await response.body()) as { error?: { code?: number } }
      return [response.status, error?.code]
    }
    expect(await codeOf(await now({}))).toEqual([400, -32020])
    expect(await codeOf(await now({ 'mcp-name': 'Rome' }))).toEqual([400, -32020])
    const good = await now({ 'mcp-name': 'Oslo' })
    expect(good.status).toBe(200)
    await good.seen(({ id }) => id === 1)
    const undeclared = await modern(url, 'weather/now', { city: 'Oslo' }, { headers: { 'mcp-name': 'Oslo' } })
    expect(await codeOf(undeclared)).toEqual([400, -32021])
  })

  it('is closed with the server', async () => {
    const { server, seen } = await open()
    await server.close()
    expect(seen.closed).toBe(1)
  })
})

describe('an extension of somebody else, in a session', () => {
  async function session(capabilities: JsonObject) {
    const toy = await open()
    const { client } = await connectTo(toy.server)
    return { ...toy, client, hello: await client.initialize(capabilities) }
  }

  it('is declared, and serves clients that declared it', async () => {
    const { client, hello, seen } = await session(DECLARED)
    expect(hello.result?.['capabilities']).toMatchObject({ extensions: { [ID]: { cities: true } } })
    expect((await client.request('weather/now', { city: 'Oslo' })).result).toMatchObject({ high: 21 })
    expect(client.notifications(TOLD)).toHaveLength(1)
    expect(seen.requests[0]).toMatchObject({ revision: '2025-11-25', settings: { units: 'metric' } })
    await client.send({ jsonrpc: '2.0', method: 'notifications/weather/observed', params: { city: 'Bonn' } })
    await client.request('ping')
    expect(seen.notices).toMatchObject([{ params: { city: 'Bonn' }, revision: '2025-11-25' }])
  })

  it('is unknown to the others', async () => {
    const { client } = await session({})
    expect((await client.request('weather/now', { city: 'Oslo' })).error).toMatchObject({ code: -32601 })
    expect((await client.request('weather/about', {})).result).toMatchObject({ about: 'weather' })
  })
})
