import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reachOf } from './addresses.ts'

const TABLE = {
  public: ['93.184.216.34', '8.8.8.8', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'],
  private: [
    ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '100.64.0.1', '198.18.0.1', '203.0.113.7'],
    ...[
      'fc00::1',
      'fdff::1',
      'fec0::1',
      '2001:db8::1',
      '::ffff:10.0.0.1',
      '64:ff9b::a00:1',
      '64:ff9b:1::8.8.8.8',
    ],
    ...['2002:808:808::1', '2001:0:808:808:0:0:f7f7:f7f7', '::8.8.8.8', '2606:4700::5efe:a00:1'],
  ],
  loopback: [
    '127.0.0.1',
    '127.255.255.255',
    '::1',
    '::1%lo',
    '::ffff:127.0.0.1',
    '::127.0.0.1',
    '2002:7f00:1::',
  ],
  never: [
    ...[
      '169.254.169.254',
      '::ffff:169.254.169.254',
      '::ffff:a9fe:a9fe',
      '64:ff9b::a9fe:a9fe',
      '2002:a9fe:a9fe::',
    ],
    ...[
      '::a9fe:a9fe',
      '::ffff:0:a9fe:a9fe',
      'fe80::1',
      'fe80::1%eth0',
      'febf::1',
      'fd00:ec2::254',
      'fd20:ce::254',
    ],
    ...[
      '100.100.100.200',
      '168.63.129.16',
      '192.0.0.192',
      '0.0.0.0',
      '0.1.2.3',
      '::',
      '224.0.0.1',
      '240.0.0.1',
    ],
    ...['255.255.255.255', 'ff02::1', '2001:0:a9fe:a9fe::', '2606:4700::200:5efe:a9fe:a9fe'],
    ...['localhost', '', '127.1', '0x7f000001', '::ffff:127.0.0.1.', '[::1]', '1.2.3.4.5'],
  ],
} as const

/** Each network: its reach, its first and last address, and the reach of the address before and after it. */
const NETWORKS = [
  ['never', '0.0.0.0', '0.255.255.255', undefined, ['1.0.0.0', 'public']],
  ['private', '10.0.0.0', '10.255.255.255', ['9.255.255.255', 'public'], ['11.0.0.0', 'public']],
  ['private', '100.64.0.0', '100.127.255.255', ['100.63.255.255', 'public'], ['100.128.0.0', 'public']],
  ['loopback', '127.0.0.0', '127.255.255.255', ['126.255.255.255', 'public'], ['128.0.0.0', 'public']],
  ['never', '169.254.0.0', '169.254.255.255', ['169.253.255.255', 'public'], ['169.255.0.0', 'public']],
  ['private', '172.16.0.0', '172.31.255.255', ['172.15.255.255', 'public'], ['172.32.0.0', 'public']],
  ['private', '192.0.0.0', '192.0.0.255', ['191.255.255.255', 'public'], ['192.0.1.0', 'public']],
  ['private', '192.0.2.0', '192.0.2.255', ['192.0.1.255', 'public'], ['192.0.3.0', 'public']],
  ['private', '192.168.0.0', '192.168.255.255', ['192.167.255.255', 'public'], ['192.169.0.0', 'public']],
  ['private', '198.18.0.0', '198.19.255.255', ['198.17.255.255', 'public'], ['198.20.0.0', 'public']],
  ['private', '198.51.100.0', '198.51.100.255', ['198.51.99.255', 'public'], ['198.51.101.0', 'public']],
  ['private', '203.0.113.0', '203.0.113.255', ['203.0.112.255', 'public'], ['203.0.114.0', 'public']],
  ['never', '224.0.0.0', '255.255.255.255', ['223.255.255.255', 'public'], undefined],
  ['private', '100::', '100::ffff:ffff:ffff:ffff', undefined, ['100:0:0:1::', 'public']],
  ['private', '2001:db8::', '2001:db8:ffff::', ['2001:db7:ffff::', 'public'], ['2001:db9::', 'public']],
  ['private', 'fc00::', 'fdff:ffff::', ['fbff:ffff::', 'public'], ['fe00::', 'public']],
  ['never', 'fe80::', 'febf:ffff::', ['fe7f:ffff::', 'public'], ['fec0::', 'private']],
  ['private', 'fec0::', 'feff:ffff::', ['febf:ffff::', 'never'], ['ff00::', 'never']],
  ['never', 'ff00::', 'ffff:ffff::', ['feff:ffff::', 'private'], undefined],
] as const

describe('where an address leads', () => {
  it.each(NETWORKS)('is %s from %s to %s, and ends there', (reach, first, last, before, after) => {
    expect([reachOf(first), reachOf(last)]).toEqual([reach, reach])
    for (const [address, other] of [before, after].filter((each) => each !== undefined))
      expect([address, reachOf(address)]).toEqual([address, other])
  })

  it('is where the narrower of the addresses in a Teredo address leads', () => {
    // The server is 8.8.8.8, and the client 127.0.0.1 or 169.254.169.254, whose bits are inverted.
    expect(reachOf('2001:0:808:808::80ff:fffe')).toBe('loopback')
    expect(reachOf('2001:0:808:808::5601:5601')).toBe('never')
    expect(reachOf('2001:0:7f00:1::f7f7:f7f7')).toBe('loopback')
  })

  it('is returned for each kind of address', () => {
    for (const [reach, addresses] of Object.entries(TABLE)) {
      for (const address of addresses) expect([address, reachOf(address)]).toEqual([address, reach])
    }
  })

  it('is the same for an IPv4 address that IPv6 carries to the same place', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const reach = reachOf(address)
        for (const carrier of ['::ffff:', '::ffff:0:', '64:ff9b::']) {
          expect(reachOf(carrier + address)).toBe(reach)
        }
      }),
    )
  })

  it('is returned for whatever a resolver returns', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV6(), fc.string()), (address) => {
        expect(Object.keys(TABLE)).toContain(reachOf(address))
      }),
    )
  })
})
