import {
  allowInsecureRequests,
  customFetch,
  genericTokenEndpointRequest,
  type ClientAuth,
  type TokenEndpointResponse,
} from 'oauth4webapi'
import { endpointOf } from '../endpoint.ts'
import type { GrantContext } from '../grant.ts'
import { readTokens } from '../token-reply.ts'

/** A request to the token endpoint of the server's authorization server. */
export type TokenAsk = {
  readonly why: string
  readonly clientId: string
  readonly authentication: ClientAuth
  readonly grantType: string
  readonly parameters?: Readonly<Record<string, string>>
}

/** Asks for an access token, for the resource and the scopes of the context, and reads the reply. */
export function requestToken(context: GrantContext, ask: TokenAsk): Promise<TokenEndpointResponse> {
  const { server, resource, scope } = context
  endpointOf(server.token_endpoint, 'the token endpoint')
  return context.step('token', ask.why, async (fetch) => {
    const response = await genericTokenEndpointRequest(
      server,
      { client_id: ask.clientId },
      ask.authentication,
      ask.grantType,
      { ...ask.parameters, resource, ...(scope === undefined ? {} : { scope }) },
      { [customFetch]: fetch, [allowInsecureRequests]: true },
    )
    const value = await readTokens(response, server, ask.clientId)
    const { expires_in: seconds } = value
    const end = seconds === undefined ? 'without a named end' : `for ${Math.round(seconds)} s`
    return { decision: `Got a token ${end}.`, value }
  })
}
