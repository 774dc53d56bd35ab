import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { modern } from './http-raw.test-support.ts'
import { serve, tools } from './listening.test-support.ts'

/** The limits of a listener are 20 s and 120 s; here they are as short as a loaded machine allows. */
const LIMITS = { ...DEFAULT_LIMITS, headMs: 500, requestMs: 1_000 }
const BODY = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

/** A client that sends its request byte by byte, without an end, and keeps what comes back. */
class SlowClient {
  /** Resolves with everything that came, once the server has ended the connection. */
  readonly answer: Promise<string>
  readonly #socket: Socket
  #sent = 0

  constructor(port: number, head: string) {
    this.#socket = connect(port, '127.0.0.1')
    this.#socket.setEncoding('latin1')
    let received = ''
    this.#socket.on('data', (text: string) => (received += text))
    this.#socket.on('error', () => undefined)
    this.answer = new Promise((resolve) => this.#socket.once('close', () => resolve(received)))
    void this.#trickle(head)
  }

  /** Bytes that it could send before the end. */
  get sent(): number {
    return this.#sent
  }

  async #trickle(head: string): Promise<void> {
    this.#socket.write(head)
    while (!this.#socket.destroyed && this.#socket.writable) {
      this.#socket.write(' ')
      this.#sent += 1
      await pause(5)
    }
  }
}

function post(path: string, more = ''): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n${more}Content-Length: 1000000\r\n\r\n${BODY}`
}

it('cuts off bodies that never end though bytes keep coming, on every route, and serves the others', async () => {
  const { listener, url } = await serve(tools().registry, {
    limits: LIMITS,
    routes: { mcp: true, sse: true, ws: true },
    warns: false,
  })
  const slow = Array.from({ length: 30 }, (_, index) => {
    const path = index % 2 === 0 ? '/mcp' : '/messages?sessionId=none'
    return new SlowClient(listener.port, post(path))
  })
  const chunked = new SlowClient(
    listener.port,
    post('/mcp').replace('Content-Length: 1000000', 'Transfer-Encoding: chunked').replace(BODY, ''),
  )
  const head = new SlowClient(listener.port, 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Long: ')
  let calls = 0
  const all = Promise.all([...slow, head].map(({ answer }) => answer))
  const over = new AbortController()
  void all.then(() => over.abort())
  do {
    const answer = await modern(url, 'tools/call', { name: 'echo', arguments: { text: 'here' } })
    expect(answer.status).toBe(200)
    calls += 1
  } while (!over.signal.aborted)
  for (const answer of await all) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  // An invalid chunk is rejected as such, before the time is over.
  expect(await chunked.answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(calls).toBeGreaterThan(0)
  for (const { sent } of slow) expect(sent).toBeGreaterThan(1)
})

it('lets nobody hold a connection with the body of a request that was refused', async () => {
  const { listener } = await serve(tools().registry, { limits: LIMITS, token: 'expected' })
  const refused = new SlowClient(listener.port, post('/mcp'))
  const foreign = new SlowClient(listener.port, post('/mcp').replace('localhost', 'evil.example'))
  expect(await refused.answer).toMatch(/^HTTP\/1\.1 401 /)
  expect(await foreign.answer).toMatch(/^HTTP\/1\.1 403 /)
})
