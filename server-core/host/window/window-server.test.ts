import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/websocket'
import type { ContractRouterClient } from '@orpc/contract'
import { implement } from '@orpc/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { contract } from '../contract/contract.ts'
import type { HostRouter } from '../router.ts'
import { startWindowServer, type WindowServer } from './window-server.ts'

let server: WindowServer
let calls = 0
let host = ''
let token = ''

/** Counts every procedure that runs. */
function countingRouter(): HostRouter {
  const os = implement(contract).use(async ({ next }) => {
    calls += 1
    return next()
  })
  const os2 = os as unknown as { app: { settings: { handler(run: () => unknown): unknown } } }
  return {
    app: { settings: os2.app.settings.handler(() => ({ theme: 'dark', layout: {} })) },
  } as unknown as HostRouter
}

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-page-'))
  await mkdir(path.join(folder, 'page', 'assets'), { recursive: true })
  await writeFile(path.join(folder, 'secret.txt'), 'outside')
  await writeFile(path.join(folder, 'page', 'index.html'), '<style nonce="__CSP_NONCE__"></style>page')
  await writeFile(path.join(folder, 'page', 'assets', 'app.js'), 'export {}')
  await writeFile(path.join(folder, 'page', 'assets', 'app-B_x3-9Zq.js'), 'export {}')
  await symlink(path.join(folder, 'secret.txt'), path.join(folder, 'page', 'link.txt'))
  server = await startWindowServer({
    pageFolder: path.join(folder, 'page'),
    port: 0,
    router: countingRouter(),
  })
  host = `127.0.0.1:${server.port}`
  token = new URL(server.address).hash.replace('#token=', '')
})
afterAll(() => server.close())

/** Writes bytes on a fresh connection and gives everything that comes back until it ends. */
async function raw(request: string, port = server.port): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('latin1')
  socket.on('data', (part: string) => {
    answer += part
    // A kept-alive answer or an accepted upgrade does not end by itself.
    if (/^HTTP\/1\.1 (101|200)/.test(answer) && answer.includes('\r\n\r\n')) socket.end()
  })
  socket.write(request)
  await new Promise((resolve) => socket.once('close', resolve))
  return answer
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.[01] (\d+)/.exec(answer)?.[1])

const FOREIGN_HOSTS = (port: number): string[] => [
  'evil.example',
  `evil.example:${port}`,
  '127.0.0.1',
  'localhost',
  '127.0.0.1:80',
  `127.0.0.1:${port + 1}`,
  `localhost.evil.example:${port}`,
  `127.0.0.1.evil.example:${port}`,
  `localhost.:${port}`,
  `127.0.0.1.:${port}`,
  `LOCALHOST:${port}`,
  `[::1]:${port}`,
  `[::ffff:127.0.0.1]:${port}`,
  `0.0.0.0:${port}`,
  `127.1:${port}`,
  `2130706433:${port}`,
  `0x7f000001:${port}`,
  `0177.0.0.1:${port}`,
  `127.0.0.2:${port}`,
  `user@127.0.0.1:${port}`,
  `127.0.0.1:${port}@evil.example`,
  `127.0.0.1:${port}#`,
  `127.0.0.1:${port}/x`,
  `127.0.0.1:0${port}`,
  `127.0.0.1:${port},evil.example`,
  `127.0.0.1%00:${port}`,
  '',
  ' ',
  'null',
  `localhost:${port}.`,
]

describe('a request to the window’s server', () => {
  it('for the page is answered with its policy, a nonce of its own and no guessing of types', async () => {
    const get = `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    const [one, other] = [await raw(get), await raw(get)]
    expect(statusOf(one)).toBe(200)
    expect(one.toLowerCase()).toContain("content-security-policy: default-src 'none'; script-src 'self'; ")
    expect(one.toLowerCase()).toContain("; require-trusted-types-for 'script'; trusted-types patchbay\r\n")
    expect(one).toContain(`connect-src 'self' ws://${host};`)
    expect(one.toLowerCase()).toContain('x-content-type-options: nosniff')
    const nonces = [one, other].map((answer) => {
      const nonce = /'nonce-([^']+)'/.exec(answer)?.[1] ?? ''
      expect(answer).toContain(`<style nonce="${nonce}">`)
      return nonce
    })
    expect(nonces[0]).not.toBe(nonces[1])
    expect(one).not.toContain(token)
  })

  it.each(['/assets/app.js', '/assets/app.js?v=1'])('serves %s', async (target) => {
    const answer = await raw(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    expect(statusOf(answer)).toBe(200)
    expect(answer.toLowerCase()).toContain('content-type: text/javascript')
  })

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/..\\secret.txt',
    '/..%5csecret.txt',
    '//etc/passwd',
    '/link.txt',
    '/index.html%00.js',
    '/assets',
    '/%',
    '/nothing',
  ])('for %s, which is not a file of the page, finds nothing', async (target) => {
    const answer = await raw(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(statusOf(answer)).toBe(404)
    expect(answer).not.toContain('outside')
  })

  it.each([
    ['/', 200, 'no-store'],
    ['/assets/app.js', 200, 'no-store'],
    ['/assets/app-B_x3-9Zq.js', 200, 'public, max-age=31536000, immutable'],
    ['/assets/app-gone1234.js', 404, 'no-store'],
  ])('for %s is answered with %i and Cache-Control: %s', async (address, status, caching) => {
    const answer = await raw(`GET ${address} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(statusOf(answer)).toBe(status)
    expect(/^cache-control: (.*)\r$/im.exec(answer)?.[1]).toBe(caching)
  })

  it('of another method is refused', async () => {
    const answer = await raw(
      `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    )
    expect(statusOf(answer)).toBe(405)
  })

  it('that was addressed to another name is refused, in every form', async () => {
    for (const name of FOREIGN_HOSTS(server.port)) {
      const answer = await raw(`GET / HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`)
      expect([name, statusOf(answer)]).toEqual([name, 403])
      expect(answer).not.toContain('page')
    }
  })

  it.each([
    ['without a Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['of HTTP/1.0 without a Host', 'GET / HTTP/1.0\r\n\r\n'],
    ['with two Hosts', 'GET / HTTP/1.1\r\nHost: HOST\r\nHost: evil.example\r\nConnection: close\r\n\r\n'],
    ['with the same Host twice', 'GET / HTTP/1.1\r\nHost: HOST\r\nHost: HOST\r\nConnection: close\r\n\r\n'],
    ['in absolute form', 'GET http://evil.example/ HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n'],
    [
      'of a foreign origin',
      'GET / HTTP/1.1\r\nHost: HOST\r\nOrigin: http://evil.example\r\nConnection: close\r\n\r\n',
    ],
    ['of the null origin', 'GET / HTTP/1.1\r\nHost: HOST\r\nOrigin: null\r\nConnection: close\r\n\r\n'],
  ])('%s is refused', async (_what, request) => {
    expect(statusOf(await raw(request.replaceAll('HOST', host)))).toBe(403)
  })
})

/** An upgrade as the page makes it, with changes; `undefined` leaves a header out. */
function upgrade(changes: Record<string, string | undefined> = {}, target = '/socket'): string {
  const headers: Record<string, string | undefined> = {
    Host: host,
    Origin: `http://${host}`,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Protocol': `patchbay.v1, patchbay.token.${token}`,
    ...changes,
  }
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  )
  return `GET ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}

describe('the window’s socket', () => {
  it('opens for its own page with the token of the launch and names only the protocol', async () => {
    const answer = await raw(upgrade())
    expect(statusOf(answer)).toBe(101)
    expect(answer).toContain('Sec-WebSocket-Protocol: patchbay.v1\r\n')
    expect(answer).not.toContain(token)
  })

  it('opens for localhost too, and only for the origin that goes with it', async () => {
    const name = `localhost:${server.port}`
    expect(statusOf(await raw(upgrade({ Host: name, Origin: `http://${name}` })))).toBe(101)
    expect(statusOf(await raw(upgrade({ Host: name })))).toBe(403)
  })

  it('refuses whatever is foreign, and no procedure runs', async () => {
    const before = calls
    const frame = Buffer.from('{"i":"1","p":{"u":"/app/settings","b":{}}}')
    const masked = Buffer.concat([Buffer.from([0x81, 0x80 | frame.length, 0, 0, 0, 0]), frame]).toString(
      'latin1',
    )
    const cases: [string, number, string][] = [
      ...FOREIGN_HOSTS(server.port).map((name): [string, number, string] => [
        `Host ${name}`,
        403,
        upgrade({ Host: name }),
      ]),
      ...[
        'http://evil.example',
        'null',
        '',
        `https://${host}`,
        `http://127.0.0.1:${server.port + 1}`,
        'http://127.0.0.1',
        `http://localhost:${server.port}`,
        `http://${host}.evil.example`,
        `http://${host}/`,
        `http://${host} http://evil.example`,
        'file://',
        'app://patchbay',
        'chrome-extension://abc',
      ].map((origin): [string, number, string] => [`Origin ${origin}`, 403, upgrade({ Origin: origin })]),
      ['no Origin', 403, upgrade({ Origin: undefined })],
      ['two Origins', 403, upgrade({ Origin: `http://${host}\r\nOrigin: http://evil.example` })],
      ['no token', 401, upgrade({ 'Sec-WebSocket-Protocol': 'patchbay.v1' })],
      ['no protocols', 401, upgrade({ 'Sec-WebSocket-Protocol': undefined })],
      ['an empty token', 401, upgrade({ 'Sec-WebSocket-Protocol': 'patchbay.v1, patchbay.token.' })],
      [
        'a wrong token',
        401,
        upgrade({ 'Sec-WebSocket-Protocol': `patchbay.v1, patchbay.token.${'A'.repeat(43)}` }),
      ],
      [
        'a token cut short',
        401,
        upgrade({ 'Sec-WebSocket-Protocol': `patchbay.v1, patchbay.token.${token.slice(0, -1)}` }),
      ],
      [
        'a token with more',
        401,
        upgrade({ 'Sec-WebSocket-Protocol': `patchbay.v1, patchbay.token.${token}A` }),
      ],
      [
        'two tokens',
        401,
        upgrade({ 'Sec-WebSocket-Protocol': `patchbay.token.x, patchbay.token.${token}, patchbay.v1` }),
      ],
      [
        'the token in the address',
        401,
        upgrade({ 'Sec-WebSocket-Protocol': 'patchbay.v1' }, `/socket?token=${token}`),
      ],
      ['another path', 404, upgrade({}, '/other')],
      [
        'another protocol',
        400,
        upgrade({ 'Sec-WebSocket-Protocol': `patchbay.v2, patchbay.token.${token}` }),
      ],
    ]
    for (const [what, status, request] of cases) {
      const answer = await raw(request + masked)
      expect([what, statusOf(answer)]).toEqual([what, status])
    }
    expect(calls).toBe(before)
  })

  it('carries the contract, frames of every size included', async () => {
    const socket = new WebSocket(`ws://${host}/socket`, ['patchbay.v1', `patchbay.token.${token}`], {
      origin: `http://${host}`,
    })
    const link = new RPCLink({ websocket: socket as unknown as globalThis.WebSocket })
    const client: ContractRouterClient<typeof contract> = createORPCClient(link)
    expect(await client.app.settings()).toEqual({ theme: 'dark', layout: {} })
    expect(calls).toBeGreaterThan(0)
    // An invalid message harms nobody.
    socket.send('{"broken')
    socket.send(Buffer.from([0, 255, 1]))
    expect(await client.app.settings()).toEqual({ theme: 'dark', layout: {} })
    socket.close()
  })
})

it('names who holds a port that is taken', async () => {
  const taken = startWindowServer({ pageFolder: '/', port: server.port, router: countingRouter() })
  await expect(taken).rejects.toMatchObject({ name: 'HostError', code: 'PORT_UNAVAILABLE' })
  const holder = process.platform === 'linux' ? `process ${process.pid}` : ''
  await expect(taken).rejects.toThrow(holder)
})
