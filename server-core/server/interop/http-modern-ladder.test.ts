import { describe, expect, it } from 'vitest'
import { ProtocolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { Registry } from '../../registry/registry.ts'
import { envelope } from '../raw-client.test-support.ts'
import { exchange, modern, type RawResponse } from './http-raw.test-support.ts'
import { serve } from './listening.test-support.ts'

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

/** A request as it goes out, before anything is wrong with it. */
type Draft = {
  headers: Record<string, string>
  method: string
  id: unknown
  params: Record<string, unknown>
  meta: Record<string, unknown>
}

function draft(): Draft {
  return {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'travel',
      'mcp-param-region': 'north',
    },
    method: 'tools/call',
    id: 'the id',
    params: { name: 'travel', arguments: { region: 'north' } },
    meta: envelope({ elicitation: {} }),
  }
}

function post(url: string, { headers, method, id, params, meta }: Draft): Promise<RawResponse> {
  return exchange(url, { headers, body: { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } } })
}

/** A tool for which every rule counts: its name and an argument are repeated, and it asks. */
function travel(): Registry {
  const registry = new Registry()
  registry.addTool({
    name: 'travel',
    input: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    },
    run: async (_args, ctx) => {
      await ctx.elicit('Really?', { type: 'object', properties: { ok: { type: 'boolean' } } }, { key: 'ok' })
      return 'gone'
    },
  })
  return registry
}

type Fault = {
  readonly name: string
  readonly spoil: (request: Draft) => void
  readonly status: number
  readonly code: number
  readonly data?: unknown
  /** A word of the message, which tells it from the faults beside it. */
  readonly says: string
}

/** The faults of one request, in the order in which they are checked. */
const LADDER: readonly Fault[] = [
  {
    name: 'a version that is not a string',
    spoil: ({ meta }) => (meta[VERSION] = 20_260_728),
    status: 400,
    code: -32602,
    says: VERSION,
  },
  {
    name: 'capabilities that are not an object',
    spoil: ({ meta }) => (meta[CAPABILITIES] = 'all'),
    status: 400,
    code: -32602,
    says: CAPABILITIES,
  },
  {
    name: 'a version header that differs',
    spoil: ({ headers }) => (headers['mcp-protocol-version'] = '2025-11-25'),
    status: 400,
    code: -32020,
    says: 'MCP-Protocol-Version is "2025-11-25"',
  },
  {
    name: 'a method header that differs',
    spoil: ({ headers }) => (headers['mcp-method'] = 'tools/list'),
    status: 400,
    code: -32020,
    says: 'Mcp-Method is "tools/list"',
  },
  {
    name: 'a version that is not spoken',
    spoil: ({ headers, meta }) => {
      meta[VERSION] = '1900-01-01'
      if (headers['mcp-protocol-version'] === '2026-07-28') headers['mcp-protocol-version'] = '1900-01-01'
    },
    status: 400,
    code: -32022,
    data: { supported: ['2026-07-28'], requested: '1900-01-01' },
    says: '1900-01-01',
  },
  {
    name: 'no version header',
    spoil: ({ headers }) => delete headers['mcp-protocol-version'],
    status: 400,
    code: -32020,
    says: 'MCP-Protocol-Version is missing',
  },
  {
    name: 'no method header',
    spoil: ({ headers }) => delete headers['mcp-method'],
    status: 400,
    code: -32020,
    says: 'Mcp-Method is missing',
  },
  {
    name: 'no name header',
    spoil: ({ headers }) => delete headers['mcp-name'],
    status: 400,
    code: -32020,
    says: 'Mcp-Name is missing',
  },
  {
    name: 'a log level that there is not',
    spoil: ({ meta }) => (meta['io.modelcontextprotocol/logLevel'] = 'loud'),
    status: 400,
    code: -32602,
    says: 'logLevel',
  },
  {
    name: 'an argument that its header contradicts',
    spoil: ({ headers }) => (headers['mcp-param-region'] = 'south'),
    status: 400,
    code: -32020,
    says: 'mcp-param-region is "south"',
  },
  {
    name: 'no capability for what the handler asks',
    spoil: ({ meta }) => {
      if (meta[CAPABILITIES] !== 'all') meta[CAPABILITIES] = {}
    },
    status: 400,
    code: -32021,
    data: { requiredCapabilities: { elicitation: { form: {} } } },
    says: 'elicitation',
  },
]

const PAIRS = LADDER.flatMap((first, index) =>
  LADDER.slice(index + 1).map((second) => ({ first, second, title: `${first.name} before ${second.name}` })),
)

/** What undoes another fault says nothing of their order. */
function undone({ first, second }: (typeof PAIRS)[number]): boolean {
  const request = draft()
  first.spoil(request)
  const alone = JSON.stringify(request)
  second.spoil(request)
  const both = JSON.stringify(request)
  const other = draft()
  second.spoil(other)
  return both === alone || both === JSON.stringify(other)
}

async function told(response: RawResponse) {
  const body = await response.body()
  const { code, message, data } = body['error'] as { code: number; message: string; data?: unknown }
  return { status: response.status, id: body['id'], code, message, data }
}

describe('a request of 2026-07-28', () => {
  it('with nothing wrong is served', async () => {
    const { url } = await serve(travel())
    const response = await post(url, draft())
    expect([response.status, await response.body()]).toMatchObject([
      200,
      { result: { resultType: 'input_required' } },
    ])
  })

  it.each(LADDER)('is refused for $name', async ({ spoil, status, code, data, says }) => {
    const { url } = await serve(travel())
    const request = draft()
    spoil(request)
    const fault = await told(await post(url, request))
    expect(fault).toMatchObject({ status, code, id: 'the id' })
    expect(fault.message).toContain(says)
    expect(fault.data).toEqual(data)
  })

  it.each(PAIRS.filter((pair) => !undone(pair)))('is rejected for $title', async ({ first, second }) => {
    const { url } = await serve(travel())
    const request = draft()
    first.spoil(request)
    second.spoil(request)
    const fault = await told(await post(url, request))
    expect(fault).toMatchObject({ status: first.status, code: first.code })
    expect(fault.message).toContain(first.says)
  })

  it.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'tasks/list',
    'tasks/result',
    'elicitation/create',
    'sampling/createMessage',
    'roots/list',
    'notifications/progress',
    'constructor',
    '__proto__',
    'toString',
    '',
    'unknown/method',
  ])('whose method is %j is invalid: 404', async (method) => {
    const { url } = await serve(travel())
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }
    const response = await post(url, { ...draft(), headers, method, params: {} })
    expect(await told(response)).toMatchObject({ status: 404, code: -32601, id: 'the id' })
  })

  it.each([0, -1, 7, '7', '', 'é☃', Number.MAX_SAFE_INTEGER, 'x'.repeat(1_024)])(
    'keeps its id, type and all: %j',
    async (id) => {
      const { url } = await serve(travel())
      expect((await (await post(url, { ...draft(), id })).body())['id']).toBe(id)
    },
  )

  it.each([null, 1.5, true, [1], {}, 2 ** 53, 'x'.repeat(1_025)])(
    'has no id like %j: 400 without an id',
    async (id) => {
      const { url } = await serve(travel())
      const fault = await told(await post(url, { ...draft(), id }))
      expect(fault).toMatchObject({ status: 400, code: -32600 })
      expect(fault.id).toBeUndefined()
    },
  )

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2099-01-01', 'latest', ''])(
    'that claims %j receives the supported versions',
    async (claimed) => {
      const { url } = await serve(travel())
      const request = draft()
      request.meta[VERSION] = claimed
      request.headers['mcp-protocol-version'] = claimed
      // Some clients send no empty header; the answer is the same without it.
      if (claimed === '') delete request.headers['mcp-protocol-version']
      const fault = await told(await post(url, request))
      expect(fault).toMatchObject({
        status: 400,
        code: -32022,
        data: { supported: ['2026-07-28'], requested: claimed },
      })
    },
  )

  it('may go without saying who its client is', async () => {
    const { url } = await serve(travel())
    const request = draft()
    delete request.meta['io.modelcontextprotocol/clientInfo']
    expect((await post(url, request)).status).toBe(200)
  })
})

describe('a request whose era is open', () => {
  const modernHeaders = (method: string) => ({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method })

  it('with the header of 2026-07-28 but no claim receives what is missing', async () => {
    const { url } = await serve(travel())
    for (const params of [undefined, {}, { _meta: {} }]) {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', ...(params && { params }) }
      const fault = await told(await exchange(url, { headers: modernHeaders('tools/list'), body }))
      expect(fault).toMatchObject({ status: 400, code: -32602 })
      expect(fault.message).toContain(VERSION)
      expect(fault.message).toContain(CAPABILITIES)
    }
  })

  it('that is an initialize with that header contradicts itself', async () => {
    const { url } = await serve(travel())
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    }
    const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
    const fault = await told(await exchange(url, { headers: modernHeaders('initialize'), body }))
    expect(fault).toMatchObject({ status: 400, code: -32020 })
  })

  it.each([{ [VERSION]: 7 }, { [VERSION]: '2025-11-25' }])(
    'that is an initialize with the claim %j is a handshake',
    async (_meta) => {
      const { url } = await serve(travel())
      const clientInfo = { name: 'a', version: '1' }
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo, _meta }
      const response = await exchange(url, { body: { jsonrpc: '2.0', id: 1, method: 'initialize', params } })
      expect([response.status, await response.body()]).toMatchObject([
        200,
        { result: { protocolVersion: '2025-11-25' } },
      ])
    },
  )

  it('is refused as an array that claims anything, and as a response', async () => {
    const { url } = await serve(travel())
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: envelope() } }
    for (const body of [[request], [], [1], { jsonrpc: '2.0', id: 1, result: {} }]) {
      const fault = await told(await exchange(url, { headers: modernHeaders('tools/list'), body }))
      expect(fault).toMatchObject({ status: 400, code: -32600 })
    }
  })
})

describe('a notification of 2026-07-28', () => {
  const send = (url: string, headers: Record<string, string>, _meta: JsonObject = envelope()) =>
    exchange(url, { headers, body: { jsonrpc: '2.0', method: 'notifications/any', params: { _meta } } })

  it.each<[Record<string, string>, number]>([
    [{}, 202],
    [{ 'mcp-method': 'notifications/any' }, 202],
    [{ 'mcp-protocol-version': '2026-07-28' }, 202],
    [{ 'mcp-method': 'notifications/other' }, 400],
    [{ 'mcp-protocol-version': '2025-11-25' }, 400],
  ])('needs no headers, but those that are there must fit: %j %i', async (headers, status) => {
    const { url } = await serve(travel())
    const response = await send(url, headers)
    expect(response.status).toBe(status)
    if (status === 202) expect(await response.body()).toEqual({ text: '' })
    else expect(await response.body()).toMatchObject({ error: { code: -32020 } })
  })
})

describe('headers of sessions', () => {
  it('mean nothing, and none is made', async () => {
    const { url } = await serve(travel())
    const request = draft()
    Object.assign(request.headers, { 'mcp-session-id': 'nobody', 'last-event-id': '0-1' })
    const response = await post(url, request)
    expect(response.status).toBe(200)
    expect(response.headers).not.toHaveProperty('mcp-session-id')
  })
})

describe('an error that a handler raises', () => {
  it.each<[number, number, number]>([
    [-32_602, 200, -32_602],
    [-31_000, 200, -31_000],
    [7, 200, 7],
    // What another server told the handler is not a fault of this request.
    [-32_020, 200, -32_020],
    [-32_021, 200, -32_021],
    [-32_022, 200, -32_022],
    [-32_601, 200, -32_601],
    // Codes of older revisions, and those that this one keeps for itself.
    [-32_002, 200, -32_602],
    [-32_042, 200, -32_603],
    [-32_023, 200, -32_603],
    [-32_099, 200, -32_603],
    [-32_019, 200, -32_019],
  ])('with the code %i has the status %i and the code %i', async (raised, status, code) => {
    const registry = new Registry()
    registry.addTool({
      name: 'raise',
      run: () => {
        throw new ProtocolError(raised, 'as it was thrown', { more: 1 })
      },
    })
    const { url } = await serve(registry)
    const response = await modern(url, 'tools/call', { name: 'raise' })
    expect(await told(response)).toMatchObject({
      status,
      code,
      message: 'as it was thrown',
      data: { more: 1 },
    })
  })
})
