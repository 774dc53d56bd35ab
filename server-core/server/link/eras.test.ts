import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import type { Revision } from '../../protocol/revisions.ts'
import { Registry } from '../../registry/registry.ts'
import { envelope, serveRegistry } from '../raw-client.test-support.ts'

const LEGACY: readonly Revision[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
const MODERN: readonly Revision[] = ['2026-07-28']

function one(): Registry {
  const registry = new Registry()
  registry.addTool({ name: 'one', run: () => '1' })
  return registry
}

describe('a server of 2026-07-28 alone', () => {
  it('refuses whatever names no version, says what it speaks, and stays open', async () => {
    const { client } = await serveRegistry(one(), { revisions: MODERN })
    expect(await client.initialize()).toMatchObject({
      error: {
        code: -32022,
        message: expect.stringContaining('2026-07-28'),
        data: { supported: MODERN, requested: '2025-11-25' },
      },
    })
    expect((await client.request('tools/list')).error).toEqual({
      code: -32022,
      message: expect.stringContaining('2026-07-28'),
      data: { supported: MODERN, requested: '2025-03-26' },
    })
    expect((await client.request('tools/list', { _meta: envelope() })).result).toHaveProperty('tools')
    // Pinned to the modern era by now, it still says what helps.
    expect(await client.request('initialize', { protocolVersion: '2024-11-05' })).toMatchObject({
      error: { code: -32022, data: { supported: MODERN, requested: '2024-11-05' } },
    })
    expect(await client.request('initialize', { protocolVersion: 1 })).toMatchObject({
      error: { code: -32022, data: { supported: MODERN, requested: '2025-03-26' } },
    })
  })
})

describe('a server of the handshake revisions alone', () => {
  it('refuses requests that name a version, says what it speaks, and takes a handshake after that', async () => {
    const { client } = await serveRegistry(one(), { revisions: LEGACY })
    for (const method of ['server/discover', 'tools/list']) {
      expect(await client.request(method, { _meta: envelope() })).toMatchObject({
        error: {
          code: -32022,
          message: expect.stringContaining('2025-06-18'),
          data: { supported: LEGACY, requested: '2026-07-28' },
        },
      })
    }
    expect((await client.initialize({}, '2025-06-18')).result?.['protocolVersion']).toBe('2025-06-18')
    expect(await client.request('tools/list', { _meta: envelope() })).toMatchObject({
      error: { code: -32600 },
    })
  })
})

describe('a server of both eras', () => {
  it('takes a handshake after server/discover, and none that claims to be modern', async () => {
    const { client } = await serveRegistry(one())
    const discovered = await client.request('server/discover', { _meta: envelope() })
    expect(discovered.result?.['supportedVersions']).toEqual(MODERN)
    const claims: JsonObject = { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' }
    const opened = await client.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      _meta: claims,
    })
    expect(opened.result?.['protocolVersion']).toBe('2025-11-25')
  })

  it('does not take the name of a handshake revision in a request, and lists what may be named', async () => {
    const { client } = await serveRegistry(one())
    const meta = envelope({}, { 'io.modelcontextprotocol/protocolVersion': '2025-06-18' })
    expect(await client.request('tools/list', { _meta: meta })).toMatchObject({
      error: { code: -32022, data: { supported: MODERN, requested: '2025-06-18' } },
    })
  })

  it('lets no notification or response decide the era', async () => {
    const { client } = await serveRegistry(one())
    await client.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    await client.send({ jsonrpc: '2.0', id: 5, result: {} })
    expect((await client.request('tools/list', { _meta: envelope() })).result).toHaveProperty('resultType')
  })
})
