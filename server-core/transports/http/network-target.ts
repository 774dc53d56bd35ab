import { TransportError } from '../../ports/contract.ts'

/**
 * The address of a server on the network. Throws a `TransportError` if it has none of the schemes (with their colons)
 * or names a user.
 */
export function networkTarget(url: string, schemes: readonly string[]): URL {
  const target = URL.parse(url)
  if (target === null || !schemes.includes(target.protocol)) {
    const expected = schemes.map((scheme) => `${scheme}//`).join(' or ')
    throw new TransportError('connection-failed', `"${url}" is not a valid ${expected} address`, { url })
  }
  if (target.username !== '' || target.password !== '') {
    const message = 'the address holds a user name or password; send them in an Authorization header instead'
    throw new TransportError('connection-failed', message, { url: target.origin })
  }
  return target
}
