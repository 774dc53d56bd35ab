import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSocketServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { guardedFetch } from './guarded-fetch.ts'
import { policyForServer } from './policy.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function start(answer: RequestListener): Promise<URL> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

const here = { loopback: true }

describe('a guarded request', () => {
  it('gives the answer as it came, and sends what it was given', async () => {
    const url = await start((request, response) => {
      void text(request).then((body) => {
        response.setHeader('www-authenticate', ['Bearer a="1"', 'DPoP b="2"'])
        response.writeHead(401, {
          'x-seen': `${request.method ?? ''} ${body} ${String(request.headers['x-a'])}`,
        })
        response.end('not you')
      })
    })
    const reply = await guardedFetch(here)(url, { method: 'POST', headers: { 'x-a': 'b' }, body: 'grant=1' })
    expect(reply).toMatchObject({ url: url.href, status: 401, redirectedFrom: [] })
    expect(reply.headers).toMatchObject({
      'www-authenticate': 'Bearer a="1", DPoP b="2"',
      'x-seen': 'POST grant=1 b',
    })
    expect(reply.body.toString()).toBe('not you')
  })

  it('takes a body up to its bound, compressed or not, and no byte more', async () => {
    const bodies: Record<string, (bytes: Buffer) => Buffer> = {
      identity: (bytes) => bytes,
      gzip: gzipSync,
      deflate: deflateSync,
      br: brotliCompressSync,
    }
    for (const [encoding, encode] of Object.entries(bodies)) {
      for (const isChunked of [false, true]) {
        const url = await start((request, response) => {
          const body = encode(Buffer.alloc(request.url === '/over' ? 1_001 : 1_000, 'a'))
          response.setHeader('content-encoding', encoding)
          if (!isChunked) response.setHeader('content-length', body.length)
          response.end(body)
        })
        const fetch = guardedFetch({ ...here, bodyBytes: 1_000 })
        const { body } = await fetch(url)
        expect([encoding, body.toString()]).toEqual([encoding, 'a'.repeat(1_000)])
        await expect(fetch(`${url.href}over`)).rejects.toMatchObject({ code: 'too-large' })
      }
    }
  })

  it('stops at once when a small body unpacks to a large one, or has no end', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    const url = await start((request, response) => {
      if (request.url === '/bomb') {
        response.setHeader('content-encoding', 'gzip')
        response.end(bomb)
        return
      }
      const more = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', more)
      }
      more()
    })
    const before = process.memoryUsage().arrayBuffers
    for (const place of ['bomb', 'endless']) {
      await expect(guardedFetch(here)(`${url.href}${place}`)).rejects.toMatchObject({ code: 'too-large' })
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024)
  })

  it('takes no encoding that it does not read, and no body that is not what it says', async () => {
    const url = await start((request, response) => {
      const [, encoding = ''] = (request.url ?? '').split('/')
      response.setHeader('content-encoding', decodeURIComponent(encoding))
      response.end('plain')
    })
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip', 'compress', 'none']) {
      const outcome = guardedFetch(here)(`${url.href}${encodeURIComponent(encoding)}`)
      await expect(outcome).rejects.toMatchObject({ code: 'encoding' })
    }
  })

  it('takes a bounded head', async () => {
    const url = await start((_request, response) => {
      response.setHeader('x-long', 'x'.repeat(40_000))
      response.end()
    })
    await expect(guardedFetch(here)(url)).rejects.toMatchObject({ code: 'too-large' })
    expect((await guardedFetch({ ...here, headBytes: 64_000 })(url)).status).toBe(200)
  })

  it('waits so long for the whole answer, whatever drips', async () => {
    const drips: NodeJS.Timeout[] = []
    const url = await start((request, response) => {
      if (request.url === '/silent') return
      if (request.url === '/round') {
        setTimeout(() => response.writeHead(302, { location: '/round' }).end(), 60)
        return
      }
      response.writeHead(200)
      drips.push(setInterval(() => response.write('x'), 10))
    })
    for (const place of ['silent', 'drip', 'round']) {
      const fetch = guardedFetch({ ...here, timeoutMs: 150, redirects: 100 })
      await expect(fetch(`${url.href}${place}`)).rejects.toMatchObject({ code: 'time' })
    }
    for (const drip of drips) clearInterval(drip)
  })

  it('ends with the signal of its caller, and with its reason', async () => {
    const url = await start(() => undefined)
    const stop = new AbortController()
    const outcome = guardedFetch(here)(url, { signal: stop.signal })
    stop.abort(new Error('The connection is closed'))
    await expect(outcome).rejects.toThrow('The connection is closed')
  })

  it('says that a server is not there or speaks no HTTP', async () => {
    const rude = createSocketServer((socket) => socket.resume().end('SSH-2.0-x\r\n')).listen(0, '127.0.0.1')
    await once(rude, 'listening')
    const { port } = rude.address() as AddressInfo
    await expect(guardedFetch(here)(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
      code: 'unreachable',
    })
    rude.close()
    await once(rude, 'close')
    await expect(guardedFetch(here)(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
      code: 'unreachable',
    })
  })

  it('goes to no port of another protocol, and to no invalid URL', async () => {
    for (const url of [
      'https://x.example:25/',
      'https://x.example:6667/',
      'http://127.0.0.1:0/',
      '/relative',
      '',
    ]) {
      await expect(guardedFetch(here)(url)).rejects.toMatchObject({ code: 'url' })
    }
    await expect(guardedFetch(here)(`https://x.example/${'x'.repeat(9_000)}`)).rejects.toMatchObject({
      code: 'url',
    })
    for (const url of [
      'ftp://x.example/',
      'file:///etc/passwd',
      'data:,x',
      'javascript:0',
      'ws://127.0.0.1/',
    ]) {
      await expect(guardedFetch(here)(url)).rejects.toMatchObject({ code: 'scheme' })
    }
  })

  it('uses no proxy of the environment', async () => {
    let proxied = 0
    const proxy = createSocketServer((socket) => {
      proxied += 1
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const url = await start((_request, response) => response.end('direct'))
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const module = join(import.meta.dirname, 'guarded-fetch.ts')
    const program = `
      const { guardedFetch } = await import(${JSON.stringify(module)})
      console.log((await guardedFetch({ loopback: true })(${JSON.stringify(url.href)})).body.toString())`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      env: {
        ...process.env,
        NODE_USE_ENV_PROXY: '1',
        HTTP_PROXY: address,
        HTTPS_PROXY: address,
        NO_PROXY: '',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    expect((await text(child.stdout)).trim()).toBe('direct')
    expect(proxied).toBe(0)
    proxy.close()
  })
})

describe('a redirect', () => {
  it('is followed by GET and HEAD alone, and only if the policy says so', async () => {
    const url = await start((request, response) => {
      if (request.url === '/') response.writeHead(307, { location: '/there' }).end('moved')
      else response.end('there')
    })
    expect(await guardedFetch(here)(url)).toMatchObject({ status: 307 })
    const fetch = guardedFetch({ ...here, redirects: 1 })
    const reply = await fetch(url)
    expect(reply).toMatchObject({ status: 200, url: `${url.href}there`, redirectedFrom: [url.href] })
    expect(await fetch(url, { method: 'HEAD' })).toMatchObject({ status: 200 })
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect(await fetch(url, { method })).toMatchObject({ status: 307 })
    }
  })

  it('takes no header that may be a credential to another origin', async () => {
    const seen: unknown[] = []
    const other = await start((request, response) => {
      seen.push(request.headers)
      response.end()
    })
    const url = await start((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/same' }).end()
      else {
        seen.push(request.headers)
        response.writeHead(302, { location: other.href }).end()
      }
    })
    const headers = { Authorization: 'Bearer s', dpop: 'p', Cookie: 'c=1', 'X-Key': 'k', Accept: 'text/x' }
    await guardedFetch({ ...here, redirects: 2 })(url, { headers })
    const [same, foreign] = seen
    expect(same).toMatchObject({ authorization: 'Bearer s', dpop: 'p', cookie: 'c=1', 'x-key': 'k' })
    expect(Object.keys(foreign as object).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host'])
  })

  it('follows only so many redirects, and none to an invalid place', async () => {
    const url = await start((request, response) => {
      const location = request.url === '/' ? '/' : decodeURIComponent((request.url ?? '').slice(1))
      response.writeHead(302, { location }).end()
    })
    const fetch = guardedFetch({ ...here, redirects: 5 })
    await expect(fetch(url)).rejects.toMatchObject({
      code: 'redirect',
      message: expect.stringMatching(/more than 5 times/) as unknown,
    })
    const to = (place: string) => fetch(`${url.href}${encodeURIComponent(place)}`)
    await expect(to('http://[')).rejects.toMatchObject({ code: 'redirect' })
    await expect(to('file:///etc/passwd')).rejects.toMatchObject({ code: 'scheme' })
    await expect(to('http://user@127.0.0.1/')).rejects.toMatchObject({ code: 'url' })
    await expect(to('http://x.example/')).rejects.toMatchObject({ code: 'scheme' })
  })
})

describe('the policy for a server', () => {
  it('lets what it names be where it is itself', () => {
    const policyOf = (url: string) => {
      const { loopback, private: isPrivate } = policyForServer(new URL(url))
      return { loopback, isPrivate }
    }
    expect(policyOf('http://localhost:3000/mcp')).toEqual({ loopback: true, isPrivate: false })
    expect(policyOf('http://[::1]:3000/mcp')).toEqual({ loopback: true, isPrivate: false })
    expect(policyOf('https://10.0.0.8/mcp')).toEqual({ loopback: false, isPrivate: true })
    expect(policyOf('https://mcp.example/mcp')).toEqual({ loopback: false, isPrivate: false })
    expect(policyOf('https://169.254.169.254/mcp')).toEqual({ loopback: false, isPrivate: false })
  })

  it('lets the origin of a server in the clear be asked in the clear, and no other', async () => {
    const url = await start((_request, response) => response.end())
    const named = new URL(`http://mcp.example:${url.port}/mcp`)
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }])
    const fetch = guardedFetch({ ...policyForServer(named), resolve })
    expect((await fetch(`${named.origin}/.well-known/oauth-protected-resource`)).status).toBe(200)
    await expect(fetch(`http://as.example:${url.port}/`)).rejects.toMatchObject({ code: 'scheme' })
    const socket = guardedFetch({ ...policyForServer(new URL(`ws://mcp.example:${url.port}/`)), resolve })
    expect((await socket(`${named.origin}/.well-known/oauth-protected-resource`)).status).toBe(200)
  })
})
