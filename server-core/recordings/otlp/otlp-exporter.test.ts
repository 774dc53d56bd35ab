import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import type { Tap } from '../../ports/tap.ts'
import { OtlpExporter, tracesUrl } from './otlp-exporter.ts'
import type { OtlpSpan } from './span-builder.ts'

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** A collector that remembers the spans it got. */
async function collector(status = 200) {
  const spans: OtlpSpan[] = []
  const requests: { url: string; type: string }[] = []
  const server = http
    .createServer((request, response) => {
      void text(request).then((body) => {
        const { resourceSpans } = JSON.parse(body) as {
          resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[]
        }
        requests.push({ url: request.url ?? '', type: request.headers['content-type'] ?? '' })
        if (status === 200) spans.push(...(resourceSpans[0]?.scopeSpans[0]?.spans ?? []))
        response.writeHead(status).end('{}')
      })
    })
    .listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, requests }
}

function exporter(endpoint: string | undefined) {
  const troubles: string[] = []
  const created = new OtlpExporter({
    mask: (each) => each.replaceAll('s3cret', '⟨redacted⟩'),
    onTrouble: (each) => troubles.push(each),
  })
  created.configure(endpoint)
  const tap = created.tap({ serverName: 'weather', side: 'client' }, 'stdio')
  return { created, tap, troubles }
}

const say = (tap: Tap, direction: 'sent' | 'received', message: object): void =>
  tap.record({
    kind: 'message',
    direction,
    bytes: Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })),
  })

const valuesOf = ({ attributes }: OtlpSpan): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

it('sends a span for each answered request, continues traces, and sends no arguments', async () => {
  const { endpoint, spans, requests } = await collector()
  const { created, tap, troubles } = exporter(endpoint)
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  say(tap, 'sent', { id: 1, method: 'initialize', params: {} })
  say(tap, 'received', { id: 1, result: { protocolVersion: '2025-06-18' } })
  say(tap, 'sent', { method: 'notifications/initialized' })
  say(tap, 'sent', {
    id: 2,
    method: 'tools/call',
    params: { name: 'forecast', arguments: { city: 'Oslo' }, _meta: { traceparent } },
  })
  say(tap, 'received', { id: 2, method: 'elicitation/create', params: {} })
  say(tap, 'sent', { id: 2, result: { action: 'decline' } })
  say(tap, 'received', { id: 2, result: { content: [], isError: true } })
  say(tap, 'sent', { id: 3, method: 'resources/read', params: { uri: 'notes://s3cret' } })
  say(tap, 'received', { id: 3, error: { code: -32_002, message: 'no such note' } })
  await created.close()
  expect(troubles).toEqual([])
  expect(requests).toEqual([{ url: '/v1/traces', type: 'application/json' }])
  expect(spans.map(({ name, kind }) => [name, kind])).toEqual([
    ['initialize', 3],
    ['elicitation/create', 2],
    ['tools/call forecast', 3],
    ['resources/read', 3],
  ])
  const [, , call, read] = spans
  expect(call).toMatchObject({
    traceId: '0af7651916cd43dd8448eb211c80319c',
    parentSpanId: 'b7ad6b7169203331',
    status: { code: 2 },
  })
  expect(call && valuesOf(call)).toMatchObject({
    'mcp.method.name': 'tools/call',
    'gen_ai.tool.name': 'forecast',
    'gen_ai.operation.name': 'execute_tool',
    'mcp.protocol.version': '2025-06-18',
    'network.transport': 'pipe',
    'error.type': 'tool_error',
  })
  expect(read && valuesOf(read)).toMatchObject({
    'mcp.resource.uri': 'notes://⟨redacted⟩',
    'error.type': '-32002',
  })
  expect(JSON.stringify(spans)).not.toContain('Oslo')
})

it('sends nothing without an endpoint, and reports one that fails once', async () => {
  const { requests, endpoint } = await collector(503)
  const off = exporter(undefined)
  say(off.tap, 'sent', { id: 1, method: 'ping' })
  say(off.tap, 'received', { id: 1, result: {} })
  await off.created.close()
  expect(requests).toEqual([])
  const failing = exporter(endpoint)
  for (let id = 1; id <= 2; id += 1) {
    say(failing.tap, 'sent', { id, method: 'ping' })
    say(failing.tap, 'received', { id, result: {} })
    await failing.created.close()
  }
  expect(requests).toHaveLength(2)
  expect(failing.troubles).toEqual([expect.stringContaining('it answered with status 503')])
  expect(() => tracesUrl('localhost:4318')).toThrow('expected the http or https address')
  expect(() => tracesUrl('http://user:pw@localhost:4318')).toThrow('no user name')
  expect(tracesUrl('https://c.example/custom').href).toBe('https://c.example/custom')
})
