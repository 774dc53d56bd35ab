import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { recordingTap } from '../../ports/recording.test-support.ts'
import { exchange, modern } from './http-raw.test-support.ts'
import { serve, tools } from './listening.test-support.ts'

const BODY = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'page', version: '1' } },
})
const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: mcp\r\n'
const POSTED = `Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n`

/** Every way in: what a request says beside its Host. */
const WAYS: readonly {
  readonly method: string
  readonly path: string
  readonly head: string
  readonly body?: string
}[] = [
  { method: 'POST', path: '/mcp', head: POSTED, body: BODY },
  { method: 'POST', path: '/mcp?x=1', head: `Expect: 100-continue\r\n${POSTED}`, body: BODY },
  { method: 'GET', path: '/mcp', head: '' },
  { method: 'DELETE', path: '/mcp', head: 'Mcp-Session-Id: none\r\n' },
  { method: 'OPTIONS', path: '/mcp', head: 'Access-Control-Request-Method: POST\r\n' },
  { method: 'PUT', path: '/mcp', head: '' },
  { method: 'GET', path: '/sse', head: '' },
  { method: 'POST', path: '/messages', head: POSTED, body: BODY },
  { method: 'GET', path: '/ws', head: '' },
  { method: 'GET', path: '/ws', head: UPGRADE },
  { method: 'GET', path: '/elsewhere', head: '' },
]

async function start() {
  const { tap, frames } = recordingTap()
  const { listener } = await serve(undefined, {
    tap,
    allowedHosts: ['Box.example'],
    allowedOrigins: ['https://tool.example'],
    routes: { mcp: true, sse: true, ws: true },
  })
  const messages = () => frames.filter(({ kind }) => kind === 'message' || kind === 'invalid').length
  return { port: listener.port, url: listener.url, listener, messages }
}

/** Sends bytes as they are and gives the status of the answer; 0 if the connection ends without one. */
async function statusOf(port: number, request: string): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(request)
  let text = ''
  for await (const chunk of socket) {
    text = (text + (chunk as Buffer).toString('latin1')).replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, '')
    if (text.includes('\r\n\r\n')) break
  }
  socket.destroy()
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)
}

type Way = (typeof WAYS)[number]

function requestOf(
  { method, path, head, body = '' }: Way,
  fields: string,
  target = path,
  version = '1.1',
): string {
  const accept = method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream'
  return `${method} ${target} HTTP/${version}\r\n${fields}Accept: ${accept}\r\n${head}\r\n${body}`
}

const OWN_HOSTS = (port: number) => [
  'localhost',
  'LOCALHOST',
  'LocalHost:1',
  `localhost:${port}`,
  '127.0.0.1',
  `127.0.0.1:${port}`,
  '127.0.0.1:',
  '127.1.2.3',
  `[::1]:${port}`,
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::FFFF:7f00:1]:80',
  ' \tlocalhost \t',
  'box.example',
  'BOX.example:8080',
]

const FOREIGN = (port: number) => [
  'evil.example',
  `evil.example:${port}`,
  'localhost.evil.example',
  `localhost.evil.example:${port}`,
  'evil.localhost.example:80',
  'evil-localhost',
  'a.localhost',
  'localhost.localdomain',
  'localtest.me',
  '127.0.0.1.nip.io',
  // One dot more is another name to some, and the same to others.
  'localhost.',
  `localhost.:${port}`,
  '127.0.0.1.',
  'box.example.',
  'evilbox.example',
  'evil.box.example',
  // Other spellings of addresses, which resolvers read and clients do not write.
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.256',
  '127.0.0.01',
  '127.evil',
  '0',
  '0.0.0.0',
  '10.0.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '[::]',
  '[::2]',
  '[::ffff:10.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  // Zones, and brackets that do not match.
  '[::1%lo]',
  '[::1%25lo]',
  '[fe80::1%25eth0]',
  '[::1',
  '::1]',
  '::1',
  '[localhost]',
  '[127.0.0.1]',
  // What a URL may hold and a Host may not.
  'user@localhost',
  'localhost@evil.example',
  `localhost:${port}@evil.example`,
  'localhost#evil.example',
  'localhost/evil.example',
  'localhost\\evil.example',
  'localhost?evil.example',
  'http://localhost',
  'localhost:port',
  'localhost:-1',
  'localhost:999999',
  'localhost:80:80',
  '%6cocalhost',
  'localhost%00',
  'localhost,evil.example',
  'evil.example, localhost',
  'localhost evil.example',
  'localhost;evil.example',
  '"localhost"',
  'ｌocalhost',
  'localhoſt',
  'xn--localhost-',
  '*',
  '.',
  ':',
  '',
]

describe('a request that names a host', () => {
  it('comes in by every way if the host is this one', async () => {
    const { port } = await start()
    for (const host of OWN_HOSTS(port)) {
      for (const way of WAYS) {
        const status = await statusOf(port, requestOf(way, `Host: ${host}\r\n`))
        const what = `${way.method} ${way.path} at "${host}"`
        expect([what, status === 0 || status === 400 || status === 403]).toEqual([what, false])
      }
    }
  })

  it('comes in by no way if the host is another one, and nothing of it is parsed', async () => {
    const { port, messages, listener } = await start()
    for (const host of FOREIGN(port)) {
      for (const way of WAYS) {
        const status = await statusOf(port, requestOf(way, `Host: ${host}\r\n`))
        expect([`${way.method} ${way.path} at "${host}"`, status]).toEqual([
          `${way.method} ${way.path} at "${host}"`,
          403,
        ])
      }
    }
    expect(messages()).toBe(0)
    expect(listener.clientCount()).toBe(0)
  })

  it('comes in by no way if the host is said twice, not at all, or elsewhere', async () => {
    const { port, messages, listener } = await start()
    const evil = 'Host: evil.example\r\n'
    const good = 'Host: localhost\r\n'
    /** Head fields, target and version; which statuses are a refusal. */
    const forms: readonly [string, string | undefined, string, readonly number[]][] = [
      [good + evil, undefined, '1.1', [403, 400]],
      [evil + good, undefined, '1.1', [403, 400]],
      [good + good, undefined, '1.1', [403, 400]],
      ['Host : localhost\r\n', undefined, '1.1', [400]],
      ['Host: evil.example\r\n localhost\r\n', undefined, '1.1', [403, 400]],
      ['Host: local\0host\r\n', undefined, '1.1', [400]],
      ['', undefined, '1.1', [400, 403]],
      ['', undefined, '1.0', [403]],
      [evil, undefined, '1.0', [403]],
      [`${evil}X-Forwarded-Host: localhost\r\nForwarded: host=localhost\r\n`, undefined, '1.1', [403]],
      [evil, 'http://localhost', '1.1', [403]],
      [good, 'http://evil.example', '1.1', [403]],
      [good, 'http://localhost', '1.1', [403]],
      [good, 'http://localhost@evil.example', '1.1', [403]],
      [good, 'evil.example:80', '1.1', [403, 400]],
    ]
    for (const [fields, origin, version, refusals] of forms) {
      for (const way of WAYS) {
        const target = origin === undefined ? way.path : `${origin}${way.path}`
        const status = await statusOf(port, requestOf(way, fields, target, version))
        const what = `${way.method} ${target} HTTP/${version} ${JSON.stringify(fields)}`
        expect([what, status, refusals.includes(status)]).toEqual([what, status, true])
      }
    }
    expect(await statusOf(port, `OPTIONS * HTTP/1.1\r\n${good}\r\n`)).toBe(403)
    expect(await statusOf(port, `CONNECT localhost:80 HTTP/1.1\r\n${good}\r\n`)).toBe(0)
    expect(messages()).toBe(0)
    expect(listener.clientCount()).toBe(0)
  })
})

describe('a request of a page', () => {
  it('comes in by every way if the page is allowed', async () => {
    const { port } = await start()
    const fields = [
      `Origin: http://localhost:${port}\r\n`,
      `Origin: http://127.0.0.1:${port}\r\n`,
      `Origin: http://[::1]:${port}\r\n`,
      'Origin: https://tool.example\r\nSec-Fetch-Site: cross-site\r\n',
      'Sec-Fetch-Site: none\r\n',
      'Sec-Fetch-Site: same-origin\r\n',
    ]
    for (const field of fields) {
      for (const way of WAYS) {
        const status = await statusOf(port, requestOf(way, `Host: localhost\r\n${field}`))
        const what = `${way.method} ${way.path} ${field}`
        expect([what, status === 0 || status === 400 || status === 403]).toEqual([what, false])
      }
    }
  })

  it('comes in by no way if it is not, and nothing of it is parsed', async () => {
    const { port, messages, listener } = await start()
    const origins = [
      'null',
      '',
      'http://evil.example',
      `http://evil.example:${port}`,
      // Scheme, port, case and slash count.
      `https://localhost:${port}`,
      'http://localhost',
      'http://localhost:1',
      `HTTP://LOCALHOST:${port}`,
      `http://localhost:${port}/`,
      `http://localhost:${port}.evil.example`,
      `http://localhost.evil.example:${port}`,
      `http://localhost.:${port}`,
      `http://user@localhost:${port}`,
      `http://a.localhost:${port}`,
      `http://[::ffff:127.0.0.1]:${port}`,
      `ws://localhost:${port}`,
      `localhost:${port}`,
      'http://tool.example',
      'https://tool.example:443',
      'https://tool.example.evil',
      'https://eviltool.example',
      'file://',
      'chrome-extension://abc',
      '*',
      `http://localhost:${port}, http://evil.example`,
      `http://localhost:${port} http://evil.example`,
    ]
    const fields = [
      ...origins.map((origin) => `Origin: ${origin}\r\n`),
      `Origin: http://localhost:${port}\r\nOrigin: http://evil.example\r\n`,
      `Origin: http://evil.example\r\nOrigin: http://localhost:${port}\r\n`,
      'Sec-Fetch-Site: cross-site\r\n',
      'Sec-Fetch-Site: same-site\r\n',
      'Sec-Fetch-Site: anything\r\n',
    ]
    for (const field of fields) {
      for (const way of WAYS) {
        const status = await statusOf(port, requestOf(way, `Host: localhost:${port}\r\n${field}`))
        const what = `${way.method} ${way.path} ${JSON.stringify(field)}`
        expect([what, status]).toEqual([what, 403])
      }
    }
    expect(messages()).toBe(0)
    expect(listener.clientCount()).toBe(0)
  })

  it('calls no tool by what a page may send without asking first', async () => {
    const { registry } = tools()
    let calls = 0
    registry.addTool({ name: 'fire', run: () => String((calls += 1)) })
    const { url } = await serve(registry, { routes: { mcp: true, sse: true } })
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'fire' } })
    const types = [
      'text/plain',
      'text/plain;charset=UTF-8',
      'text/plain; application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      'application/json, text/plain',
      '',
    ]
    for (const path of ['/mcp', '/messages']) {
      for (const type of types) {
        const headers = { 'content-type': type, accept: '*/*' }
        const sent = await exchange(url.replace('/mcp', path), { headers, body: call })
        expect([path, type, sent.status]).toEqual([path, type, 415])
      }
    }
    expect(calls).toBe(0)
    expect(await (await modern(url, 'tools/call', { name: 'fire' })).body()).toMatchObject({
      result: { content: [{ text: '1' }] },
    })
  })
})

describe('a caller without the token', () => {
  it('comes in by no way, from the moment on when it is required', async () => {
    let token: string | undefined = 'secret'
    const routes = { mcp: true, sse: true, ws: true }
    const { listener } = await serve(undefined, { routes, token: () => token })
    const attempt = (way: Way, fields: string, target?: string) =>
      statusOf(listener.port, requestOf(way, `Host: localhost\r\n${fields}`, target))
    const ways = WAYS.filter(
      ({ method, path }) => method !== 'OPTIONS' && method !== 'PUT' && path !== '/elsewhere',
    )
    const fields = [
      '',
      'Authorization: \r\n',
      'Authorization: Bearer\r\n',
      'Authorization: Bearer secre\r\n',
      'Authorization: Bearer secret2\r\n',
      'Authorization: Bearer Secret\r\n',
      'Authorization: Bearer secret secret\r\n',
      'Authorization: Basic secret\r\n',
      'Authorization: secret\r\n',
      'Proxy-Authorization: Bearer secret\r\n',
      'Cookie: token=secret; Authorization=Bearer secret\r\n',
    ]
    for (const way of ways) {
      for (const field of fields) {
        const what = `${way.method} ${way.path} ${field}`
        expect([what, await attempt(way, field)]).toEqual([what, 401])
      }
      const query = `${way.path.split('?')[0] ?? ''}?access_token=secret&token=secret`
      expect([query, await attempt(way, '', query)]).toEqual([query, 401])
      const two = 'Authorization: Bearer wrong\r\nAuthorization: Bearer secret\r\n'
      expect(await attempt(way, two)).toBe(400)
      expect([401, 400, 403]).not.toContain(await attempt(way, 'Authorization: bearer  secret\r\n'))
    }
    token = undefined
    for (const way of ways) expect([401, 400, 403]).not.toContain(await attempt(way, ''))
    token = 'another'
    for (const way of ways) expect(await attempt(way, 'Authorization: Bearer secret\r\n')).toBe(401)
  })
})
