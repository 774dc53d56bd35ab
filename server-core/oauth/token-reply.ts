import {
  processGenericTokenEndpointResponse,
  type AuthorizationServer,
  type TokenEndpointResponse,
} from 'oauth4webapi'

/** Token types that can be presented; another cannot be used. */
const KNOWN_TYPES: readonly string[] = ['bearer', 'dpop']

/**
 * Checks and reads the reply of a token endpoint. An ID token is neither used nor asked for, so it is not looked at.
 *
 * @param types the token types that will do, in lower case
 */
export async function readTokens(
  response: Response,
  server: AuthorizationServer,
  clientId: string,
  types: readonly string[] = KNOWN_TYPES,
): Promise<TokenEndpointResponse> {
  let plain = response
  if (response.status === 200) {
    const text = await response.text()
    plain = new Response(withoutIdToken(text), { status: 200, headers: response.headers })
  }
  return processGenericTokenEndpointResponse(server, { client_id: clientId }, plain, {
    recognizedTokenTypes: Object.fromEntries(types.map((type) => [type, () => undefined])),
  })
}

function withoutIdToken(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return text
    return JSON.stringify({ ...value, id_token: undefined })
  } catch {
    return text
  }
}
