import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { mayReach } from './addresses.ts'
import { AuthorityFetch } from './authority-fetch.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function start(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/x`)
  return { url, fetch: new AuthorityFetch([url]) }
}

describe('AuthorityFetch', () => {
  it('follows no redirect, wherever it leads', async () => {
    let reached = 0
    const canary = await start((_request, response) => {
      reached += 1
      response.end('{}')
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const { url, fetch } = await start((_request, response) => {
        response.writeHead(status, { location: canary.url.href }).end()
      })
      expect((await fetch.fetch(url)).status).toBe(status)
    }
    expect(reached).toBe(0)
  })

  it('reads no more than a mebibyte', async () => {
    const { url, fetch } = await start((_request, response) => {
      response.end(Buffer.alloc(1024 * 1024 + 1))
    })
    await expect(fetch.fetch(url)).rejects.toMatchObject({ code: 'too-large' })
    const whole = await start((_request, response) => {
      response.end(Buffer.alloc(1024 * 1024))
    })
    expect((await whole.fetch.fetch(whole.url)).body.length).toBe(1024 * 1024)
  })

  it('has so many requests under way at once, and does not ask a server again that just failed', async () => {
    const held: (() => void)[] = []
    const { url, fetch } = await start((_request, response) => {
      held.push(() => response.writeHead(503).end())
    })
    const all = Array.from({ length: 256 }, () => fetch.fetch(url).catch((error: unknown) => error))
    await expect(fetch.fetch(url)).rejects.toMatchObject({ code: 'busy' })
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(256)
    for (const answer of held.splice(0)) answer()
    for (const outcome of await Promise.all(all)) expect(outcome).toMatchObject({ code: 'status' })
    await expect(fetch.fetch(url)).rejects.toMatchObject({ code: 'status' })
    expect(held).toEqual([])
  })

  it('goes to hosts that the configuration names, in the clear on this machine alone', async () => {
    const { fetch } = await start((_request, response) => response.end())
    for (const address of [
      'http://localhost:1/x',
      'http://example.com/',
      'ftp://127.0.0.1/',
      'https://user:secret@example.com/',
      'https://10.1.2.3/',
      'https://[fd00::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://2130706433/',
      'https://169.254.169.254/',
    ]) {
      const outcome = await fetch.fetch(new URL(address)).catch((error: unknown) => error)
      // 2130706433 is 127.0.0.1 to every reader of URLs, and that host is named; nothing listens there with TLS.
      const isNamed = new URL(address).hostname === '127.0.0.1' && address.startsWith('https')
      expect([address, outcome]).toMatchObject([address, { code: isNamed ? 'unreachable' : 'address' }])
    }
  })
})

describe('mayReach', () => {
  it('lets nobody reach link-local addresses, and the operator alone private ones', () => {
    const table: [string, boolean, boolean][] = [
      ['93.184.216.34', true, true],
      ['2606:4700::1111', true, true],
      ['127.0.0.1', true, false],
      ['10.0.0.1', true, false],
      ['172.31.255.255', true, false],
      ['172.32.0.1', true, true],
      ['192.168.0.1', true, false],
      ['100.64.0.1', true, false],
      ['::1', true, false],
      ['fc00::1', true, false],
      ['::ffff:10.0.0.1', true, false],
      ['64:ff9b::a00:1', true, false],
      ['2002:a00:1::', true, false],
      ['169.254.169.254', false, false],
      ['::ffff:169.254.169.254', false, false],
      ['::ffff:a9fe:a9fe', false, false],
      ['fe80::1', false, false],
      ['fd00:ec2::254', false, false],
      ['0.0.0.0', false, false],
      ['::', false, false],
      ['224.0.0.1', false, false],
      ['255.255.255.255', false, false],
      ['localhost', false, false],
      ['', false, false],
    ]
    for (const [address, named, found] of table) {
      expect([address, mayReach(address, true), mayReach(address, false)]).toEqual([address, named, found])
    }
  })
})
