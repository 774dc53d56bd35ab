import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
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
    await expect.poll(() => held.length).toBe(256)
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
