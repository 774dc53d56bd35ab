import { isJsonObject } from '../../../server-core/protocol/json.ts'
import type { ChangeHttp } from '../mutant.ts'

/** A session id is as good as the token that began the session. */
export const sessionIsToken: ChangeHttp = async (request, next, peer) => {
  const session = request.headers['mcp-session-id']
  const known = session === undefined ? undefined : peer.get(session)
  const headers = typeof known === 'string' ? { ...request.headers, authorization: known } : request.headers
  const response = await next({ ...request, headers })
  const issued = response.headers['mcp-session-id']
  const { authorization } = request.headers
  if (issued !== undefined && authorization !== undefined && !peer.has(issued))
    peer.set(issued, authorization)
  return response
}

/** The subject of the token of a request; undefined without one that can be read. */
export function subjectOf({ authorization = '' }: Readonly<Record<string, string>>): unknown {
  const claims = authorization.split('.')[1]
  if (claims === undefined) return undefined
  const value: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString())
  return isJsonObject(value) ? value['sub'] : undefined
}
