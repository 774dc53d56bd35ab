import {
  allowInsecureRequests,
  customFetch,
  processRevocationResponse,
  revocationRequest,
} from 'oauth4webapi'
import { clientAuthentication } from './client-authentication.ts'
import { endpointOf } from './endpoint.ts'
import type { ClientIdentity, FlowState, ServerFacts, Tokens } from './flow-state.ts'
import type { FlowParts } from './flow-parts.ts'
import { OAuthError } from './oauth-error.ts'
import { asAuthorizationServer } from './registration.ts'
import { findResource } from './resource-metadata.ts'
import { findServer } from './server-metadata.ts'

/**
 * Revokes the tokens at the authorization server (RFC 7009), refresh token first. A failure
 * is recorded and does no harm: the tokens are forgotten here all the same.
 *
 * @param end where the authorization that got them ended, if that is known
 * @param start the beginning of one, to find the authorization server again
 */
export async function revokeTokens(
  tokens: Tokens,
  end: FlowState | undefined,
  start: FlowState,
  parts: FlowParts,
): Promise<void> {
  try {
    const server = await serverOf(tokens, end, start, parts)
    if (server?.metadata['revocation_endpoint'] === undefined) {
      parts.log.note(
        'revocation',
        `${tokens.issuer} is not told.`,
        'It names no place where tokens are given back (RFC 7009); they end by themselves.',
      )
      return
    }
    const client = await clientOf(tokens, parts)
    endpointOf(server.metadata['revocation_endpoint'], 'the revocation endpoint')
    const both = [tokens.refreshToken, tokens.accessToken].filter((token) => token !== undefined)
    for (const token of both) await revoke(token, token === tokens.refreshToken, server, client, parts)
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    parts.log.recordFailure(
      'revocation',
      error.message,
      'The tokens are forgotten here all the same, and end by themselves.',
    )
  }
}

async function revoke(
  token: string,
  isRefreshToken: boolean,
  server: ServerFacts,
  client: ClientIdentity,
  parts: FlowParts,
): Promise<void> {
  const hint = isRefreshToken ? 'refresh_token' : 'access_token'
  await parts.log.exchange('revocation', 'It is not used any more.', parts.signal, async (fetch) => {
    const response = await revocationRequest(
      asAuthorizationServer(server),
      { client_id: client.clientId },
      clientAuthentication(client, server),
      token,
      {
        [customFetch]: fetch,
        [allowInsecureRequests]: true,
        additionalParameters: { token_type_hint: hint },
      },
    )
    try {
      await processRevocationResponse(response)
    } catch (cause) {
      throw new OAuthError('token', `The token was not taken back: HTTP ${response.status}.`, { cause })
    }
    return { decision: `The ${hint.replace('_', ' ')} was given back.`, value: undefined }
  })
}

async function serverOf(
  { issuer }: Tokens,
  end: FlowState | undefined,
  start: FlowState,
  parts: FlowParts,
): Promise<ServerFacts | undefined> {
  let state = end ?? start
  if (state.next === 'resource') state = await findResource(state, parts)
  while (state.next === 'server') state = await findServer(state, parts)
  return 'server' in state && state.server.issuer === issuer ? state.server : undefined
}

async function clientOf(
  { issuer, clientId }: Tokens,
  { credentials, settings }: FlowParts,
): Promise<ClientIdentity> {
  const known = await credentials.client(issuer)
  if (known?.clientId === clientId && known.kind === 'dynamic') return known
  const secret = settings.clientId === clientId ? settings.clientSecret : undefined
  return { kind: 'pre-registered', clientId, ...(secret === undefined ? {} : { clientSecret: secret }) }
}
