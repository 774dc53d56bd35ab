import { BlockList, isIP } from 'node:net'

/**
 * Where an address leads: to this machine, to a private network, to the public one, or where no request may go at
 * all: link-local networks and the metadata services of clouds, "this network", multicast.
 */
export type Reach = 'public' | 'private' | 'loopback' | 'never'

const NEVER = new BlockList()
NEVER.addSubnet('0.0.0.0', 8, 'ipv4')
NEVER.addSubnet('169.254.0.0', 16, 'ipv4')
NEVER.addSubnet('224.0.0.0', 3, 'ipv4')
NEVER.addSubnet('fe80::', 10, 'ipv6')
NEVER.addSubnet('ff00::', 8, 'ipv6')
// Metadata services of clouds outside the link-local networks.
NEVER.addAddress('100.100.100.200', 'ipv4')
NEVER.addAddress('168.63.129.16', 'ipv4')
NEVER.addAddress('192.0.0.192', 'ipv4')
NEVER.addAddress('fd00:ec2::254', 'ipv6')
NEVER.addAddress('fd20:ce::254', 'ipv6')

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

const PRIVATE = new BlockList()
PRIVATE.addSubnet('10.0.0.0', 8, 'ipv4')
PRIVATE.addSubnet('100.64.0.0', 10, 'ipv4')
PRIVATE.addSubnet('172.16.0.0', 12, 'ipv4')
PRIVATE.addSubnet('192.0.0.0', 24, 'ipv4')
PRIVATE.addSubnet('192.0.2.0', 24, 'ipv4')
PRIVATE.addSubnet('192.168.0.0', 16, 'ipv4')
PRIVATE.addSubnet('198.18.0.0', 15, 'ipv4')
PRIVATE.addSubnet('198.51.100.0', 24, 'ipv4')
PRIVATE.addSubnet('203.0.113.0', 24, 'ipv4')
PRIVATE.addSubnet('100::', 64, 'ipv6')
PRIVATE.addSubnet('2001::', 32, 'ipv6')
PRIVATE.addSubnet('2001:db8::', 32, 'ipv6')
PRIVATE.addSubnet('2002::', 16, 'ipv6')
PRIVATE.addSubnet('64:ff9b:1::', 48, 'ipv6')
PRIVATE.addSubnet('fc00::', 7, 'ipv6')
PRIVATE.addSubnet('fec0::', 10, 'ipv6')

/** From the widest way out to none. */
const ORDER: readonly Reach[] = ['public', 'private', 'loopback', 'never']

/**
 * Returns where an address leads. An IPv6 address that carries an IPv4 address (mapped, translated, NAT64, compatible,
 * 6to4, Teredo, ISATAP) leads at least where that leads. An invalid address leads where no request may go.
 */
export function reachOf(address: string): Reach {
  const [plain = ''] = address.split('%')
  const family = isIP(plain)
  if (family === 0) return 'never'
  if (family === 4) return listed(plain, 'ipv4')
  const words = wordsOf(plain)
  const [w0 = 0, w1 = 0, w2 = 0, w3 = 0, w4 = 0, w5 = 0, w6 = 0, w7 = 0] = words
  const startsEmpty = (w0 | w1 | w2 | w3) === 0
  const last = ipv4(w6, w7)
  // These are the IPv4 address itself, for the system that connects or for the gateway.
  if (startsEmpty && ((w4 === 0 && w5 === 0xffff) || (w4 === 0xffff && w5 === 0))) return listed(last, 'ipv4')
  if (w0 === 0x64 && w1 === 0xff9b && (w2 | w3 | w4 | w5) === 0) return listed(last, 'ipv4')
  const own = listed(plain, 'ipv6')
  if (startsEmpty) {
    if ((w4 | w5 | w6 | w7) === 0) return 'never'
    if (own === 'loopback') return own
    return narrower('private', (w4 | w5) === 0 ? listed(last, 'ipv4') : own)
  }
  if (w0 === 0x2002) return narrower(own, listed(ipv4(w1, w2), 'ipv4'))
  if (w0 === 0x2001 && w1 === 0) {
    const inner = narrower(listed(ipv4(w2, w3), 'ipv4'), listed(ipv4(w6 ^ 0xffff, w7 ^ 0xffff), 'ipv4'))
    return narrower(own, inner)
  }
  if (w0 === 0x64 && w1 === 0xff9b) return narrower(own, listed(last, 'ipv4'))
  if ((w4 & 0xfdff) === 0 && w5 === 0x5efe) return narrower(own, listed(last, 'ipv4'))
  return own
}

function narrower(one: Reach, other: Reach): Reach {
  return ORDER.indexOf(one) > ORDER.indexOf(other) ? one : other
}

function listed(address: string, family: 'ipv4' | 'ipv6'): Reach {
  if (NEVER.check(address, family)) return 'never'
  if (LOOPBACK.check(address, family)) return 'loopback'
  return PRIVATE.check(address, family) ? 'private' : 'public'
}

function ipv4(high: number, low: number): string {
  return `${high >> 8}.${high & 0xff}.${low >> 8}.${low & 0xff}`
}

/** The eight words of an IPv6 address that `isIP` took. */
function wordsOf(address: string): readonly number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const [, front = '', a, b, c, d] = dotted ?? []
  const pair = (high: unknown, low: unknown) => ((Number(high) << 8) | Number(low)).toString(16)
  const whole = dotted === null ? address : `${front}${pair(a, b)}:${pair(c, d)}`
  const [left = '', right] = whole.split('::')
  const read = (text: string) => (text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16)))
  if (right === undefined) return read(left)
  const [before, after] = [read(left), read(right)]
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}
