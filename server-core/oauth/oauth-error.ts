import { CodedError } from '../protocol/coded-error.ts'

/** Why an authorization failed or did not begin. */
export type OAuthErrorCode =
  /** Only the user can go on, and nobody asked for that. */
  | 'user-needed'
  /** As `user-needed`, and nothing says that there is an authorization server at all: only its default places. */
  | 'not-offered'
  /** The user, or the authorization server, said no. */
  | 'denied'
  /** Somebody stopped it. */
  | 'stopped'
  /** The user did not come back in time. */
  | 'timeout'
  /** The metadata is of another resource than the server. */
  | 'resource-mismatch'
  /** The metadata or the callback is of another issuer than expected. */
  | 'issuer-mismatch'
  /** Nothing says where to authorize, or what says it cannot be used. */
  | 'discovery'
  /** PKCE with S256 is not offered. */
  | 'pkce'
  /** No client id can be had. */
  | 'client'
  /** The callback is not the answer to what was asked. */
  | 'callback'
  /** The token endpoint gave no token. */
  | 'token'
  /** What is asked for is not granted, however often it is asked for. */
  | 'scope'
  /** The server refuses a token that was issued for it just now. */
  | 'refused'
  /** An address that must not be asked or opened, or that does not answer. */
  | 'network'

/** The error type of this module. `message` says what was expected, what came and what to do; it holds no secret. */
export class OAuthError extends CodedError<OAuthErrorCode> {
  override readonly name = 'OAuthError'
}
