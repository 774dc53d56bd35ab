import { AuthorizationResponseError, validateAuthResponse } from 'oauth4webapi'
import type { FlowAt } from './flow-state.ts'
import type { FlowParts } from './flow-parts.ts'
import { OAuthError } from './oauth-error.ts'
import { asAuthorizationServer } from './registration.ts'

/**
 * Checks the answer of the authorization page: the issuer by RFC 9207 in every case, the state, then what it says.
 * Throws an `OAuthError` if the answer does not belong to the request, or says no.
 */
export function checkedCallback(
  { callback, pending, server, client }: FlowAt<'token'>,
  { log }: FlowParts,
): URLSearchParams {
  const parameters = new URLSearchParams(callback)
  const iss = parameters.getAll('iss')
  const advertised = server.metadata['authorization_response_iss_parameter_supported'] === true
  const why = advertised
    ? 'The metadata says that each answer names the issuer (RFC 9207).'
    : 'An issuer in the answer must be the one that was asked, whether announced or not (RFC 9207).'
  const refuse = (code: 'issuer-mismatch' | 'callback' | 'denied', message: string): never => {
    log.recordFailure('callback', message, why)
    throw new OAuthError(code, message)
  }
  // What the answer says besides is not shown: it may come from somebody else.
  if (iss.length === 0 && advertised) {
    return refuse(
      'issuer-mismatch',
      `The answer names no issuer, expected ${server.issuer}, which announces it. The code is not used.`,
    )
  }
  if (iss.some((each) => each !== server.issuer)) {
    return refuse(
      'issuer-mismatch',
      `The answer is of the issuer ${JSON.stringify(iss.join(' '))}, expected ${server.issuer} exactly. The code is not used.`,
    )
  }
  try {
    const checked = validateAuthResponse(
      asAuthorizationServer(server),
      { client_id: client.clientId },
      parameters,
      pending.state,
    )
    log.note(
      'callback',
      iss.length === 0 ? 'The answer fits the request.' : 'The answer fits the request and the issuer.',
      why,
    )
    return checked
  } catch (error) {
    if (error instanceof AuthorizationResponseError) {
      const { error: code, error_description: description } = error
      return refuse(
        'denied',
        `${server.issuer} says no: ${code}${description === undefined ? '' : ` (${description})`}.`,
      )
    }
    return refuse(
      'callback',
      `The answer does not fit the request: ${error instanceof Error ? error.message : 'it cannot be read'}.`,
    )
  }
}
