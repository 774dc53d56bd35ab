import { isIP } from 'node:net'
import { reachOf, type Reach } from './addresses.ts'
import { NetworkError } from './network-error.ts'
import { hostOf, reachOfHost, type NetworkPolicy } from './policy.ts'

/** Characters of a URL that is requested. */
const MAX_LENGTH = 8_192

/** Ports on which other protocols listen that could take a request for their own (Fetch standard, "bad port"). */
const PORTS_OF_OTHERS = new Set(
  [
    '1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123',
    '135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993',
    '995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080 0',
  ].flatMap((line) => line.split(' ')),
)

/** A URL that may be requested as far as it says itself, and which addresses its host may have. */
export type GuardedUrl = {
  readonly url: URL
  /** True if the user named the host. */
  readonly isNamed: boolean
  /** Throws a `NetworkError` (`address`) for an address that this URL may not lead to. */
  check(address: string): void
}

/** Checks a URL by itself, an address in it included. Throws a `NetworkError`. */
export function guardUrl(target: URL | string, policy: NetworkPolicy): GuardedUrl {
  const text = typeof target === 'string' ? target : target.href
  if (text.length > MAX_LENGTH) {
    throw new NetworkError(
      'url',
      `a URL of ${text.length} characters is not requested; ${MAX_LENGTH} at most are`,
    )
  }
  const url = URL.parse(text)
  if (url === null) throw new NetworkError('url', `${JSON.stringify(text)} is not an absolute URL`)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new NetworkError('scheme', `${url.href} must be https`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new NetworkError('url', `the URL at ${url.host} must hold no user name and no password`)
  }
  if (PORTS_OF_OTHERS.has(url.port)) {
    throw new NetworkError('url', `${url.href}: port ${url.port} belongs to another protocol than HTTP`)
  }
  const isNamed = policy.named?.some((named) => named.hostname === url.hostname) === true
  const inClear = url.protocol === 'http:'
  const clearByName =
    inClear && policy.clear === 'named' && policy.named?.some(({ origin }) => origin === url.origin)
  const reach = reachOfHost(url)
  if (inClear && clearByName !== true && reach !== 'loopback') {
    throw new NetworkError('scheme', `${url.href} must be https: http is for this machine alone`)
  }
  const check = (address: string): void => {
    const found = reachOf(address)
    const mayBe =
      found === 'public' ||
      (found === 'loopback' && (isNamed || policy.loopback === true)) ||
      (found === 'private' && (isNamed || policy.private === true))
    const staysClear = !inClear || clearByName === true || found === 'loopback'
    if (mayBe && staysClear) return
    throw new NetworkError('address', `${url.host} is at ${address}: ${WHY_NOT[found]}`)
  }
  const host = hostOf(url)
  if (isIP(host) !== 0) check(host)
  return { url, isNamed, check }
}

const WHY_NOT: Readonly<Record<Reach, string>> = {
  never: 'no request of Patchbay goes to link-local addresses, metadata services of clouds or multicast',
  private: 'in a private network only hosts are asked that you named yourself',
  loopback: 'on this machine only hosts are asked that you named yourself',
  public: 'http is for this machine alone',
}
