import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { serve, tools } from './listening.test-support.ts'

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
