import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { Registry } from '../../registry/registry.ts'
import { envelope } from '../raw-client.test-support.ts'
import { serve, tools } from './listening.test-support.ts'

/** A request of 2026-07-28 as it goes over a socket. */
function raw(method: string, params: { readonly name?: string; readonly [member: string]: unknown }): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope() } })
  const named = params.name === undefined ? '' : `Mcp-Name: ${params.name}\r\n`
  return `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: ${method}\r\n${named}Content-Length: ${body.length}\r\n\r\n${body}`
}

it('serves nothing behind a stream that lasts, with which its connection ends', async () => {
  const registry = new Registry()
  const called: unknown[] = []
  registry.addTool({ name: 'note', run: (args) => String(called.push(args)) })
  const { listener } = await serve(registry)
  const socket = connect(listener.port, '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8')
  const acknowledged = new Promise<void>((resolve) => {
    socket.on('data', (text: string) => {
      received += text
      if (received.includes('acknowledged')) resolve()
    })
  })
  socket.write(raw('subscriptions/listen', { notifications: { toolsListChanged: true } }))
  await acknowledged
  socket.write(raw('tools/call', { name: 'note', arguments: { on: 'the same' } }))
  await new Promise((resolve) => socket.write('', resolve))
  const other = connect(listener.port, '127.0.0.1')
  other.write(raw('tools/call', { name: 'note', arguments: { on: 'another' } }))
  const [answer] = (await once(other, 'data')) as [Buffer]
  expect(answer.toString()).toContain('200 OK')
  expect(called).toEqual([{ on: 'another' }])
  socket.destroy()
  other.destroy()
})

it('a socket on which nothing came is closed at once, while calls in flight are answered', async () => {
  const { registry, gate, started } = tools()
  const { listener } = await serve(registry)
  const silent = connect(listener.port, '127.0.0.1')
  await once(silent, 'connect')
  const call = fetch(listener.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'gated',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'gated',
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  })
  await started
  const closed = listener.close()
  // If it were cut off with the calls that take too long, the call would have no answer.
  await once(silent, 'close')
  gate.resolve()
  expect((await call).status).toBe(200)
  await closed
})
