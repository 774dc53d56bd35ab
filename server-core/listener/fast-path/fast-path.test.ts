import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { envelope } from '../../server/raw-client.test-support.ts'
import { serve, tools } from '../../server/interop/listening.test-support.ts'

/** A call of 2026-07-28 as it goes over a socket. */
function call(text: string, name = 'echo'): string {
  const params = { name, arguments: { text }, _meta: envelope() }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  return [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'MCP-Protocol-Version: 2026-07-28',
    'Mcp-Method: tools/call',
    `Mcp-Name: ${name}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}

/** What a server writes on one connection. */
class Client {
  readonly socket: Socket
  text = ''

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    this.socket.setEncoding('utf8').on('data', (text: string) => (this.text += text))
    this.socket.on('error', () => undefined)
  }

  get statuses(): string[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status)
  }

  async until(...statuses: readonly string[]): Promise<void> {
    await expect.poll(() => this.statuses).toEqual(statuses)
  }
}

describe('a listener with the fast path', () => {
  it('answers one request after another on a connection, with the fields of node:http', async () => {
    const { listener } = await serve(undefined, { fastPath: true })
    const client = new Client(listener.port)
    client.socket.write(call('one'))
    await client.until('200')
    client.socket.write(call('two'))
    await client.until('200', '200')
    expect(client.text).toMatch(
      /\r\nDate: \w{3}, .* GMT\r\nConnection: keep-alive\r\nKeep-Alive: timeout=60\r\n\r\n/,
    )
    expect(client.text).toContain('"text":"two"')
    client.socket.destroy()
  })

  it('answers a request that comes in pieces, and one behind another', async () => {
    const { listener } = await serve(undefined, { fastPath: true })
    const client = new Client(listener.port)
    const [head = '', body = ''] = call('in pieces').split('\r\n\r\n')
    client.socket.setNoDelay(true).write(`${head}\r\n\r\n`)
    await new Promise((resolve) => setImmediate(resolve))
    client.socket.write(body.slice(0, 9))
    await new Promise((resolve) => setImmediate(resolve))
    client.socket.write(body.slice(9))
    await client.until('200')
    client.socket.write(call('second') + call('third'))
    await client.until('200', '200', '200')
    for (const text of ['in pieces', 'second', 'third']) expect(client.text).toContain(`"text":"${text}"`)
    client.socket.destroy()
  })

  it('leaves a long head to node:http, which refuses it, on a new connection and on a used one', async () => {
    const { listener } = await serve(undefined, { fastPath: true })
    const long = call('x').replace('Host:', `X-Long: ${'a'.repeat(20_000)}\r\nHost:`)
    for (const before of ['', call('first')]) {
      const client = new Client(listener.port)
      if (before !== '') {
        client.socket.write(before)
        await client.until('200')
      }
      client.socket.write(long)
      await client.until(...(before === '' ? ['431'] : ['200', '431']))
      client.socket.destroy()
    }
  })

  it('answers a request that came while a response was being written', async () => {
    const { registry, gate, started } = tools()
    const { listener } = await serve(registry, { fastPath: true })
    const client = new Client(listener.port)
    client.socket.write(call('', 'silent'))
    await started
    client.socket.write(call('next'))
    gate.resolve()
    await client.until('200', '200')
    expect(client.text.indexOf('opened')).toBeLessThan(client.text.indexOf('"text":"next"'))
    client.socket.destroy()
  })

  it('refuses a request that ends in its middle', async () => {
    const { listener } = await serve(undefined, { fastPath: true })
    const client = new Client(listener.port)
    client.socket.end(call('cut off').slice(0, -5))
    await once(client.socket, 'end')
    expect(client.statuses).toEqual(['400'])
  })

  it('cancels the call of a client that goes away', async () => {
    const { registry, started } = tools()
    const { listener } = await serve(registry, { fastPath: true })
    const client = new Client(listener.port)
    client.socket.write(call('', 'silent'))
    const signal = await started
    client.socket.destroy()
    await expect.poll(() => signal.aborted).toBe(true)
  })

  it('closes idle connections when it closes, after the calls in flight', async () => {
    const { registry, gate, started } = tools()
    const { listener } = await serve(registry, { fastPath: true })
    const idle = new Client(listener.port)
    idle.socket.write(call('idle'))
    await idle.until('200')
    const busy = new Client(listener.port)
    busy.socket.write(call('', 'silent'))
    await started
    const closed = listener.close()
    await once(idle.socket, 'end')
    gate.resolve()
    await busy.until('200')
    await closed
  })
})
