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

describe('where an address leads', () => {
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
