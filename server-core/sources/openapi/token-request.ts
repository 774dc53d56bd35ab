import {
  allowInsecureRequests,
  clientCredentialsGrantRequest,
  ClientSecretBasic,
  customFetch,
  processClientCredentialsResponse,
  type TokenEndpointResponse,
} from 'oauth4webapi'
import type { GuardedFetch } from '../../network/guarded-fetch.ts'

export type ClientCredentials = {
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scopes: readonly string[]
}

/** Asks a token endpoint for a token of client credentials. Rejects with its error. */
export async function requestToken(
  { tokenUrl, clientId, clientSecret, scopes }: ClientCredentials,
  fetch: GuardedFetch,
): Promise<TokenEndpointResponse> {
  const server = { issuer: new URL(tokenUrl).origin, token_endpoint: tokenUrl }
  const client = { client_id: clientId }
  const response = await clientCredentialsGrantRequest(
    server,
    client,
    ClientSecretBasic(clientSecret),
    scopes.length === 0 ? {} : { scope: scopes.join(' ') },
    {
      // The guarded fetch decides itself where http will do.
      [allowInsecureRequests]: true,
      [customFetch]: async (url, { method, headers, body }) => {
        const answer = await fetch(url, { method, headers, body: body.toString() })
        return new Response(new Uint8Array(answer.body), { status: answer.status, headers: answer.headers })
      },
    },
  )
  return processClientCredentialsResponse(server, client, response)
}
