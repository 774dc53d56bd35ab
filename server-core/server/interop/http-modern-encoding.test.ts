import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeHeaderValue } from '../../protocol/header-value.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { Registry } from '../../registry/registry.ts'
import { modern } from './http-raw.test-support.ts'
import { serve } from './listening.test-support.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    text: { type: 'string', 'x-mcp-header': 'Text' },
    size: { type: 'integer', 'x-mcp-header': 'Size' },
    sure: { type: 'boolean', 'x-mcp-header': 'Sure' },
    deep: { type: 'object', properties: { er: { type: 'string', 'x-mcp-header': 'Deeper' } } },
  },
}

function named(name: string): Registry {
  const registry = new Registry()
  registry.addTool({ name, run: () => 'called' })
  registry.addTool({ name: 'mirror', input: SCHEMA, run: (args) => JSON.stringify(args) })
  registry.addPrompt({ name, get: () => 'said' })
  registry.addResource({ uri: 'note://é/1', name: 'note', read: 'read' })
  return registry
}

const NAMES = [
  'plain',
  'two words',
  ' led by a space',
  'ended by one ',
  'tab\tinside',
  'line\nfeed',
  'emoji 🎉',
  'ÄÖÜ',
  '=?base64?ZWNobw==?=',
  '=?base64?',
  '?=',
  '=?BASE64?ZWNobw==?=',
  '\u0000nul',
  '\u007f',
]

describe('names over HTTP (2026-07-28)', () => {
  it.each(NAMES)('reach the tool, the prompt and their comparison: %j', async (name) => {
    const { url } = await serve(named(name))
    const headers = { 'mcp-name': encodeHeaderValue(name) }
    expect((await modern(url, 'tools/call', { name }, { headers })).status).toBe(200)
    expect((await modern(url, 'prompts/get', { name }, { headers })).status).toBe(200)
    const other = { 'mcp-name': encodeHeaderValue(`${name}x`) }
    expect((await modern(url, 'tools/call', { name }, { headers: other })).status).toBe(400)
  })

  it('are URIs for resources', async () => {
    const { url } = await serve(named('a'))
    const uri = 'note://é/1'
    const read = (value: string) => modern(url, 'resources/read', { uri }, { headers: { 'mcp-name': value } })
    expect((await read(encodeHeaderValue(uri))).status).toBe(200)
    expect((await read('note://e/1')).status).toBe(400)
  })

  it.each(['=?base64?SGVsbG8?=', '=?base64?SGVs!!!bG8=?=', '=?base64?/w==?=', '=?base64?SGVsbG8=\t?='])(
    'that cannot be read are refused: %j',
    async (value) => {
      const { url } = await serve(named('Hello'))
      const response = await modern(url, 'tools/call', { name: 'Hello' }, { headers: { 'mcp-name': value } })
      expect([response.status, await response.body()]).toMatchObject([400, { error: { code: -32020 } }])
    },
  )
})

describe('arguments repeated as headers (2026-07-28)', () => {
  it('are equal however they are encoded, for any text', async () => {
    const { url } = await serve(named('a'))
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 40 }), async (text) => {
        const headers = { 'mcp-name': 'mirror', 'mcp-param-text': encodeHeaderValue(text) }
        const response = await modern(url, 'tools/call', { name: 'mirror', arguments: { text } }, { headers })
        expect(response.status).toBe(200)
      }),
      { numRuns: 60 },
    )
  })

  it.each<[JsonObject, Record<string, string>, number]>([
    [{ size: 42 }, { 'mcp-param-size': '42' }, 200],
    [{ size: 42 }, { 'mcp-param-size': '42.0' }, 200],
    [{ size: 42 }, { 'mcp-param-size': ' 42 ' }, 200],
    [{ size: -7 }, { 'mcp-param-size': '-7' }, 200],
    [{ size: 42 }, { 'mcp-param-size': '042' }, 200],
    [{ size: 42 }, { 'mcp-param-size': '+42' }, 400],
    [{ size: 42 }, { 'mcp-param-size': '42.5' }, 400],
    [{ size: 42 }, { 'mcp-param-size': '4.2e1' }, 400],
    [{ size: 42 }, { 'mcp-param-size': '0x2a' }, 400],
    [{ size: 42 }, { 'mcp-param-size': '' }, 400],
    [{ size: 2 ** 53 }, { 'mcp-param-size': '9007199254740992' }, 400],
    [{ size: 2 ** 53 - 1 }, { 'mcp-param-size': '9007199254740991' }, 200],
    [{ sure: true }, { 'mcp-param-sure': 'true' }, 200],
    [{ sure: true }, { 'mcp-param-sure': 'TRUE' }, 400],
    [{ sure: false }, { 'mcp-param-sure': 'true' }, 400],
    [{ text: '' }, { 'mcp-param-text': '' }, 200],
    [{ text: '' }, { 'mcp-param-text': '=?base64??=' }, 200],
    [{ text: '' }, {}, 400],
    [{ text: 'a' }, { 'MCP-PARAM-TEXT': 'a' }, 200],
    [{ text: 'a' }, { 'mcp-param-text': 'A' }, 400],
    [{}, { 'mcp-param-text': 'a' }, 400],
    [{ text: null }, { 'mcp-param-text': 'a' }, 400],
    [{ deep: { er: 'x' } }, { 'mcp-param-deeper': 'x' }, 200],
    [{ deep: { er: 'x' } }, {}, 400],
    [{ deep: {} }, {}, 200],
    [{}, { 'mcp-param-unknown': 'whatever' }, 200],
  ])('%j with %j is %i', async (args, headers, status) => {
    const { url } = await serve(named('a'))
    const response = await modern(url, 'tools/call', { name: 'mirror', arguments: args }, { headers })
    expect(response.status).toBe(status)
    if (status === 400) expect(await response.body()).toMatchObject({ error: { code: -32020 } })
  })

  it('are not asked for where there are no headers', async () => {
    const { server } = await serve(named('a'))
    const sent: string[] = []
    const params = {
      name: 'mirror',
      arguments: { text: 'a' },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    }
    const answered = Promise.withResolvers<void>()
    server.modernRequest(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      { caller: 'link', headers: {}, checksHeaders: false },
      {
        emit: () => undefined,
        abandon: () => undefined,
        answer: (bytes) => {
          sent.push(Buffer.from(bytes).toString())
          answered.resolve()
        },
      },
    )
    await answered.promise
    expect(sent[0]).toContain('"result"')
  })
})
