import { BlockList, isIP } from 'node:net'

const NEVER = new BlockList()
// Link-local and the metadata services of clouds, "this network", multicast.
NEVER.addSubnet('169.254.0.0', 16, 'ipv4')
NEVER.addSubnet('0.0.0.0', 8, 'ipv4')
NEVER.addSubnet('224.0.0.0', 3, 'ipv4')
NEVER.addAddress('100.100.100.200', 'ipv4')
NEVER.addAddress('fd00:ec2::254', 'ipv6')
NEVER.addAddress('::', 'ipv6')
NEVER.addSubnet('fe80::', 10, 'ipv6')
NEVER.addSubnet('ff00::', 8, 'ipv6')

const INTERNAL = new BlockList()
INTERNAL.addSubnet('127.0.0.0', 8, 'ipv4')
INTERNAL.addSubnet('10.0.0.0', 8, 'ipv4')
INTERNAL.addSubnet('172.16.0.0', 12, 'ipv4')
INTERNAL.addSubnet('192.168.0.0', 16, 'ipv4')
INTERNAL.addSubnet('100.64.0.0', 10, 'ipv4')
INTERNAL.addSubnet('198.18.0.0', 15, 'ipv4')
INTERNAL.addAddress('::1', 'ipv6')
INTERNAL.addSubnet('fc00::', 7, 'ipv6')
// Addresses that carry an IPv4 address: NAT64 and 6to4.
INTERNAL.addSubnet('64:ff9b::', 96, 'ipv6')
INTERNAL.addSubnet('64:ff9b:1::', 48, 'ipv6')
INTERNAL.addSubnet('2002::', 16, 'ipv6')

/**
 * Tells whether a request may go to an address. Link-local addresses, behind which clouds keep credentials, never;
 * addresses of this machine and of private networks only for hosts that the operator named.
 */
export function mayReach(address: string, namedByOperator: boolean): boolean {
  const family = isIP(address)
  if (family === 0) return false
  const kind = family === 4 ? 'ipv4' : 'ipv6'
  return !NEVER.check(address, kind) && (namedByOperator || !INTERNAL.check(address, kind))
}
