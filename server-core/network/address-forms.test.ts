import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressForms, LOOPBACK_HOSTS, NEVER_HOSTS, type AddressForm } from './address-forms.test-support.ts'
import { connectionsDuring } from './connection-count.test-support.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { NetworkError } from './network-error.ts'
import type { NetworkPolicy, Resolve } from './policy.ts'

let canary: Server
let redirector: Server
let canaryPort = 0
let entry = new URL('http://as.example')
const hits: (string | undefined)[] = []

/** The only name that leads anywhere, beside names of this machine. */
const resolve: Resolve = (hostname) => {
  if (hostname === 'as.example' || /(^|\.)localhost\.?$/.test(hostname)) {
    return Promise.resolve([{ address: '127.0.0.1', family: 4 }])
  }
  return Promise.reject(new Error(`no such name: ${hostname}`))
}

beforeAll(async () => {
  canary = createServer((request, response) => {
    hits.push(request.headers.host)
    response.end('{}')
  }).listen(0)
  await once(canary, 'listening')
  canaryPort = (canary.address() as AddressInfo).port
  redirector = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://as.example')
    const location = decodeURIComponent(url.search.slice(1))
    if (url.pathname === '/again') response.writeHead(302, { location: `/302?${url.search.slice(1)}` }).end()
    else response.writeHead(Number(url.pathname.slice(1)), { location: encodeURI(location) }).end()
  }).listen(0, '127.0.0.1')
  await once(redirector, 'listening')
  entry = new URL(`http://as.example:${(redirector.address() as AddressInfo).port}`)
})

afterAll(() => {
  for (const server of [canary, redirector]) {
    server.closeAllConnections()
    server.close()
  }
})

/** Requests a form directly and by redirects, over http and https; returns what no rule rejected. */
async function ask(forms: readonly AddressForm[], policy: NetworkPolicy) {
  const fetch = guardedFetch({ named: [entry], clear: 'named', redirects: 3, resolve, ...policy })
  const passed: string[] = []
  let asked = 0
  const askOne = async (name: string, url: string) => {
    const outcome: unknown = await fetch(url).catch((error: unknown) => error)
    const isRefused =
      outcome instanceof NetworkError && ['address', 'url', 'scheme', 'redirect'].includes(outcome.code)
    const isUnknownName = outcome instanceof NetworkError && outcome.message.includes('no such name')
    if (!isRefused && !isUnknownName) passed.push(`${name}: ${String(outcome)}`)
  }
  for (const { name, authority } of forms) {
    const urls = ['http', 'https'].flatMap((scheme) => {
      const target = `${scheme}://${authority}:${canaryPort}/latest/meta-data`
      const hop = (place: string) => `${entry.origin}${place}?${encodeURIComponent(target)}`
      return [target, hop('/302'), hop('/307'), hop('/again')]
    })
    asked += urls.length
    await Promise.all(urls.map((url) => askOne(name, url)))
  }
  return { passed, asked }
}

describe('a guarded request', () => {
  it('reaches no link-local address or metadata service, however it is written, whoever allowed what', async () => {
    const forms = [...addressForms('169.254.169.254'), ...NEVER_HOSTS]
    expect(forms.length).toBeGreaterThanOrEqual(60)
    let asked = 0
    const connections = await connectionsDuring(async () => {
      const outcome = await ask(forms, { loopback: true, private: true })
      expect(outcome.passed).toEqual([])
      asked = outcome.asked
    })
    // What was connected to is the server that redirects: once for 302 and 307, twice for the second hop.
    expect(connections).toBe(asked)
    expect(hits).toEqual([])
  })

  it('reaches this machine in no form if the policy does not say so', async () => {
    const { passed } = await ask([...addressForms('127.0.0.1'), ...LOOPBACK_HOSTS], { private: true })
    expect(passed).toEqual([])
    expect(hits).toEqual([])
  })

  it('reaches private networks in no form if the policy does not say so', async () => {
    const forms = ['10.1.2.3', '172.16.0.1', '192.168.1.1', '100.64.0.1', '198.18.0.1'].flatMap((address) => [
      ...addressForms(address).slice(0, 4),
      { name: address, authority: `[::ffff:${address}]` },
    ])
    const unique = ['[fc00::1]', '[fdff::1]', '[fec0::1]'].map((authority) => ({
      name: authority,
      authority,
    }))
    const { passed } = await ask([...forms, ...unique], { loopback: true })
    expect(passed).toEqual([])
  })

  it('reaches this machine where the policy says so, and is seen there', async () => {
    const fetch = guardedFetch({ loopback: true, resolve })
    for (const authority of [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'localhost',
    ]) {
      const { status } = await fetch(`http://${authority}:${canaryPort}/`)
      expect([authority, status]).toEqual([authority, 200])
    }
    expect(hits.splice(0)).toHaveLength(6)
  })

  it('reaches a named host on this machine, and no other name there', async () => {
    const named = new URL(`http://as.example:${canaryPort}`)
    const fetch = guardedFetch({ named: [named], clear: 'named', resolve })
    expect((await fetch(named)).status).toBe(200)
    expect(hits.splice(0)).toEqual([named.host])
    await expect(fetch(`http://localhost:${canaryPort}`)).rejects.toMatchObject({ code: 'address' })
    await expect(fetch(`http://as.example:${canaryPort + 1}`)).rejects.toMatchObject({ code: 'scheme' })
    await expect(guardedFetch({ named: [named], resolve })(named)).rejects.toMatchObject({ code: 'scheme' })
    expect(hits).toEqual([])
  })
})

describe('the address of a name', () => {
  const named = () => new URL(`http://flip.example:${canaryPort}`)

  it('is asked for once, and is the one connected to', async () => {
    const answers = ['127.0.0.1', '169.254.169.254', '10.0.0.1']
    let asked = 0
    const fetch = guardedFetch({
      named: [named()],
      clear: 'named',
      resolve: () => Promise.resolve([{ address: answers[asked++] ?? '', family: 4 }]),
    })
    expect((await fetch(named())).status).toBe(200)
    expect(asked).toBe(1)
    expect(hits.splice(0)).toEqual([named().host])
    // The name leads elsewhere now: the next request asks again, and is refused.
    await expect(fetch(named())).rejects.toMatchObject({ code: 'address' })
    expect(asked).toBe(2)
  })

  it('is checked again for each hop', async () => {
    const answers = ['127.0.0.1', '169.254.169.254']
    let asked = 0
    const from = new URL(`${entry.origin}/302?${encodeURIComponent(`${entry.origin}/302`)}`)
    const fetch = guardedFetch({
      named: [entry],
      clear: 'named',
      redirects: 3,
      resolve: () => Promise.resolve([{ address: answers[asked++] ?? '', family: 4 }]),
    })
    await expect(fetch(from)).rejects.toMatchObject({ code: 'address' })
    expect(asked).toBe(2)
  })

  it('is refused if one of several is out of reach', async () => {
    for (const bad of ['169.254.169.254', '::ffff:a9fe:a9fe', 'fe80::1%2', '64:ff9b::a9fe:a9fe', '']) {
      const connections = await connectionsDuring(async () => {
        const fetch = guardedFetch({
          named: [named()],
          clear: 'named',
          resolve: () =>
            Promise.resolve([
              { address: '127.0.0.1', family: 4 },
              { address: bad, family: bad.includes(':') ? 6 : 4 },
            ]),
        })
        await expect(fetch(named())).rejects.toMatchObject({ code: 'address' })
      })
      expect(connections).toBe(0)
    }
    expect(hits).toEqual([])
  })
})
