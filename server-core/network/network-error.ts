import { CodedError } from '../protocol/coded-error.ts'

/**
 * A guarded request that was not made, or whose answer is not taken. `code` says which rule spoke:
 * - `url`: it is not a URL that a request may have (syntax, user names, ports of other protocols)
 * - `scheme`: neither https, nor http where the policy lets it be
 * - `address`: the host is at an address that the policy keeps out of reach
 * - `redirect`: a redirect leads where none may lead, or there are too many
 * - `too-large`: the head or the body of the answer is over its bound
 * - `encoding`: the body is compressed in a way that is not read, or broken
 * - `time`: no whole answer came in time
 * - `unreachable`: the connection failed
 */
export class NetworkError extends CodedError<
  'url' | 'scheme' | 'address' | 'redirect' | 'too-large' | 'encoding' | 'time' | 'unreachable'
> {
  override readonly name = 'NetworkError'
}
