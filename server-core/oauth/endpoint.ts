import { isLoopbackHost } from '../ports/host-name.ts'
import { OAuthError, type OAuthErrorCode } from './oauth-error.ts'

/**
 * Reads an address that a server gave. Only https will do, and http on this machine (OAuth 2.1, 1.5).
 *
 * @param what names it in the error: "the token endpoint"
 */
export function endpointOf(value: unknown, what: string, code: OAuthErrorCode = 'discovery'): URL {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url === null) {
    const came = value === undefined ? 'none is named' : 'what is named is not an address'
    throw new OAuthError(code, `Expected an https address of ${what}; ${came}.`)
  }
  const isHere = url.protocol === 'http:' && isLoopbackHost(url.hostname.replace(/^\[(.*)\]$/, '$1'))
  if (url.protocol !== 'https:' && !isHere) {
    throw new OAuthError(
      code,
      `Expected an https address of ${what}, got ${url.protocol}//${url.host}. Tokens are sent in the clear nowhere but on this machine.`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new OAuthError(code, `The address of ${what} at ${url.host} holds a user name or password.`)
  }
  return url
}
