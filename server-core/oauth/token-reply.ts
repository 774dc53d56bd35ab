import {
  processGenericTokenEndpointResponse,
  type AuthorizationServer,
  type TokenEndpointResponse,
} from 'oauth4webapi'

/** Token types that can be presented; another cannot be used. */
const KNOWN_TYPES: readonly string[] = ['bearer', 'dpop']

/**
 * Checks and reads the reply of a token endpoint. An ID token is neither used nor asked for, so it is not looked at.
 * A lifetime that is neither a number nor text is ignored.
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
    plain = new Response(readable(text), { status: 200, headers: response.headers })
  }
  return processGenericTokenEndpointResponse(server, { client_id: clientId }, plain, {
    recognizedTokenTypes: Object.fromEntries(types.map((type) => [type, () => undefined])),
  })
}

function readable(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return text
    const { expires_in: seconds } = value as { expires_in?: unknown }
    // The library converts any value to a number.
    const isReadable = typeof seconds === 'number' || typeof seconds === 'string'
    return JSON.stringify({ ...value, id_token: undefined, expires_in: isReadable ? seconds : undefined })
  } catch {
    return text
  }
}
