import fc from 'fast-check'
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { isLoopbackHost, readHost } from './host-name.ts'
import { HostGuard, OriginGuard } from '../listener/origin-guard.ts'

const named = (host: string) =>
  ({ headers: { host }, rawHeaders: ['Host', host] }) as unknown as IncomingMessage

describe('readHost', () => {
  it('reads names and addresses, without port and brackets', () => {
    expect(readHost('LocalHost:80')).toBe('localhost')
    expect(readHost('[::1]:80')).toBe('::1')
    expect(readHost('10.0.0.1')).toBe('10.0.0.1')
    expect(readHost('[10.0.0.1]')).toBeUndefined()
    expect(readHost('a b')).toBeUndefined()
  })

  it('takes nothing before or behind a loopback name but a port', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('localhost', '127.0.0.1', '[::1]'),
        fc.string(),
        (before, name, behind) => {
          const host = readHost(`${before}${name}${behind}`)
          const isPlain = before === '' && /^(?::\d{0,5})?$/.test(behind)
          if (!isPlain && host !== undefined && isLoopbackHost(host)) {
            // Digits before or behind an address may make another one of this machine.
            expect(host).toMatch(/^127\.\d+\.\d+\.\d+$/)
          }
          if (isPlain) expect(host !== undefined && isLoopbackHost(host)).toBe(true)
        },
      ),
    )
  })
})

describe('HostGuard', () => {
  it('takes addresses, but no unlisted names, where the listener can be reached from elsewhere', () => {
    const guard = new HostGuard('0.0.0.0', ['box.example', '[fd00::1]'])
    for (const host of ['10.0.0.1:80', '[2001:db8::1]', '[fd00::1]', 'localhost', 'box.example:1']) {
      expect([host, guard.allows(named(host))]).toEqual([host, true])
    }
    for (const host of ['evil.example', '167772161', '0x0a000001', '10.1', '[fe80::1%25eth0]', 'fe80::1']) {
      expect([host, guard.allows(named(host))]).toEqual([host, false])
    }
  })

  it('does not take addresses of other machines where the listener is on loopback', () => {
    expect(new HostGuard('::1', []).allows(named('10.0.0.1'))).toBe(false)
  })

  it.each(['http://foo', 'bar:41020', '[::1]:80', 'a b', ''])('refuses to list "%s"', (text) => {
    expect(() => new HostGuard('127.0.0.1', [text])).toThrow(`got "${text}"`)
  })
})

describe('OriginGuard', () => {
  it.each([
    'app.example',
    'https://app.example/',
    'https://App.example',
    'https://app.example:443',
    'null',
    '',
  ])('refuses to list "%s"', (text) => {
    expect(() => new OriginGuard(80, [text])).toThrow(`got "${text}"`)
  })

  it.each(['https://app.example', 'http://[::1]:81', 'chrome-extension://abc'])('takes %s', (origin) => {
    const request = { headers: { origin } } as unknown as IncomingMessage
    expect(new OriginGuard(80, [origin]).allows(request)).toBe(true)
    expect(new OriginGuard(80, []).allows(request)).toBe(false)
  })
})
