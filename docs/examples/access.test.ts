import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { expect, test } from 'vitest'
import { Authority } from '../../server-core/authorization/authority.test-support.ts'
import { ERAS, exampleFile } from './example-process.test-support.ts'
import { leftOpen } from '../../server-core/left-open.test-support.ts'
import { connected, start, textOf } from './in-both-eras.test-support.ts'

test('first-server', async () => {
  const client = new FirstClient({ name: 'reader', version: '1' })
  leftOpen.push(() => client.close())
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [exampleFile('first-server')] }),
  )
  expect(await client.callTool({ name: 'add', arguments: { a: 40, b: 2 } })).toMatchObject({
    content: [{ type: 'text', text: '40 + 2 = 42' }],
  })
  const [url] = await start('first-server').urls()
  for (const era of ERAS)
    expect(await textOf(await connected(url, era), 'add', { a: 40, b: 2 })).toBe('40 + 2 = 42')
})

test.each(['first-server', 'transports'])('%s says what --port expects', async (name) => {
  const words = [exampleFile(name), '--port', 'abc']
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] })
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: '--port expects a number from 0 to 65535, got "abc"\n',
  })
})

test('access', async () => {
  const [url] = await start('access').urls()
  for (const era of ERAS) {
    await expect(connected(url, era)).rejects.toThrow()
    const client = await connected(url, era, { headers: { authorization: 'Bearer example-token' } })
    expect(await textOf(client, 'hello')).toBe('hello')
  }
})

test('authorization', async () => {
  const authority = await Authority.start()
  leftOpen.push(() => authority.close())
  const [url] = await start('authorization', { EXAMPLE_ISSUER: authority.issuer }).urls()
  const bearer = async (scope: string) => {
    const token = await authority.token('http://127.0.0.1:4040/mcp', { claims: { scope } })
    return { headers: { authorization: `Bearer ${token}` } }
  }
  for (const era of ERAS) {
    const reader = await connected(url, era, await bearer('mcp'))
    expect(await textOf(reader, 'whoami')).toBe('alice')
    await expect(reader.callTool({ name: 'deploy' })).rejects.toThrow()
    const deployer = await connected(url, era, await bearer('deploy'))
    expect(await textOf(deployer, 'deploy')).toBe('deployed')
  }
})

test('authorization by introspection', async () => {
  const authority = await Authority.start()
  leftOpen.push(() => authority.close())
  const exp = Math.floor(Date.now() / 1_000) + 600
  authority.known.set('opaque', { sub: 'carol', aud: 'http://127.0.0.1:4040/mcp', scope: 'mcp', exp })
  const environment = { EXAMPLE_ISSUER: authority.issuer, EXAMPLE_INTROSPECTION_SECRET: 's&cret' }
  const [url] = await start('authorization', environment).urls()
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
  for (const era of ERAS) {
    expect(await textOf(await connected(url, era, bearer('opaque')), 'whoami')).toBe('carol')
    await expect(connected(url, era, bearer('unknown'))).rejects.toThrow()
  }
})

test('limits', async () => {
  const [url] = await start('limits').urls()
  const client = await connected(url, '2026-07-28')
  expect(await textOf(client, 'echo', { text: 'x'.repeat(1_000) })).toHaveLength(1_000)
  await expect(client.callTool({ name: 'echo', arguments: { text: 'x'.repeat(70_000) } })).rejects.toThrow()
  const older = await connected(url, '2025-11-25')
  expect(older.getNegotiatedProtocolVersion()).toBe('2025-06-18')
})

test('transports', async () => {
  const stdio = new StdioClientTransport({
    command: process.execPath,
    args: [exampleFile('transports')],
    stderr: 'pipe',
  })
  let stderr = ''
  stdio.stderr?.on('data', (bytes: Buffer) => (stderr += bytes.toString()))
  const hello = async (transport: Transport) => {
    const client = new FirstClient({ name: 'reader', version: '1' })
    leftOpen.push(() => client.close())
    await client.connect(transport)
    expect(await client.callTool({ name: 'hello' })).toMatchObject({ content: [{ text: 'hello' }] })
  }
  await hello(stdio)
  expect(stderr).toMatch(/in memory: .*hello/)
  const [http, sse, ws] = Array.from(stderr.matchAll(/listening at (\S+)/g), ([, url = '']) => new URL(url))
  if (http === undefined || sse === undefined || ws === undefined) throw new Error(`no addresses: ${stderr}`)
  await hello(new SSEClientTransport(sse))
  await hello(new WebSocketClientTransport(ws))
  for (const era of ERAS) expect(await textOf(await connected(http, era), 'hello')).toBe('hello')
})
