import { endpointOf } from './endpoint.ts'
import type { FlowAt, FlowState, ServerFacts } from './flow-state.ts'
import type { FlowParts } from './flow-parts.ts'
import { readJsonReply, stringsIn } from './json-reply.ts'
import { OAuthError } from './oauth-error.ts'
import { metadataHeaders } from './resource-metadata.ts'

/**
 * Where the metadata of an issuer may be, in the order in which it is looked for (specification: Authorization Server
 * Metadata Discovery).
 */
export function serverMetadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    ...(path === '' ? [] : [`${origin}${path}/.well-known/openid-configuration`]),
  ]
}

/** Finds the first authorization server of the list that can be used, and what it says of itself. */
export async function findServer(state: FlowAt<'server'>, parts: FlowParts): Promise<FlowState> {
  const { remainingServers, resource, ...rest } = state
  const [issuer, ...others] = remainingServers
  if (issuer === undefined) throw new OAuthError('discovery', 'No authorization server is left to ask.')
  try {
    endpointOf(issuer, 'the authorization server')
    if (resource.found === 'metadata') {
      const many = resource.authorizationServers.length > 1
      const why =
        parts.settings.issuer === issuer
          ? 'The settings choose it.'
          : many
            ? 'The first in the order of the server that was not tried yet.'
            : 'The server trusts no other.'
      parts.log.note('authorization-server', `${issuer} is asked.`, why)
    }
    const server = await readServer(issuer, resource.found === 'origin', parts)
    checkPkce(server, resource.found === 'origin', parts)
    return { ...rest, resource, server, next: parts.grant === undefined ? 'client' : 'grant' }
  } catch (error) {
    const mayGoOn = error instanceof OAuthError && (error.code === 'discovery' || error.code === 'network')
    if (others.length === 0 || !mayGoOn || parts.signal.aborted) throw error
    return { ...state, remainingServers: others }
  }
}

async function readServer(issuer: string, isOrigin: boolean, parts: FlowParts): Promise<ServerFacts> {
  let mismatch: OAuthError | undefined
  let silent: OAuthError | undefined
  for (const url of serverMetadataUrls(issuer)) {
    const why = 'A well-known place for the metadata of the authorization server.'
    try {
      const found = await parts.log.exchange('server-metadata', why, parts.signal, async (fetch) => {
        const reply = await readJsonReply(
          await fetch(url, { method: 'GET', headers: metadataHeaders(parts) }),
        )
        if (!reply.ok) return { decision: `Not here (${reply.reason}).`, value: undefined }
        return readDocument(reply.value, issuer, url)
      })
      if (found !== undefined) return found
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      if (error.code === 'issuer-mismatch') mismatch ??= error
      else if (error.code === 'network') silent ??= error
      else throw error
    }
  }
  if (mismatch !== undefined) throw mismatch
  if (silent !== undefined) throw silent
  if (!isOrigin) {
    throw new OAuthError(
      'discovery',
      `${issuer} has no metadata at any of its well-known places, so its endpoints are not known.`,
    )
  }
  parts.log.note(
    'server-metadata',
    `The endpoints are ${issuer}/authorize, /token and /register.`,
    'There is no metadata, and those are the default of 2025-03-26.',
  )
  return {
    issuer,
    declared: false,
    metadata: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
    },
  }
}

function readDocument(document: ServerFacts['metadata'], issuer: string, url: string) {
  const named = document['issuer']
  if (named !== issuer) {
    const theirs = typeof named === 'string' ? named : 'none'
    throw new OAuthError(
      'issuer-mismatch',
      `The metadata at ${url} is of the issuer ${theirs}, expected ${issuer} exactly (RFC 8414, 3.3). None of its endpoints is used.`,
    )
  }
  const value: ServerFacts = { issuer, metadata: document, declared: true }
  return { decision: `This is ${issuer}; it says what is needed.`, value }
}

/** Refuses a server that does not know PKCE with S256 (specification: Authorization Code Protection). */
function checkPkce(
  { issuer, metadata, declared }: ServerFacts,
  isOrigin: boolean,
  { settings, grant, log }: FlowParts,
): void {
  if (grant !== undefined || !declared) return
  const methods = stringsIn(metadata['code_challenge_methods_supported'])
  if (methods?.includes('S256') === true) return
  if (methods === undefined && (isOrigin || settings.allowUndeclaredPkce === true)) {
    log.note(
      'server-metadata',
      `PKCE is used although ${issuer} does not say that it knows it.`,
      settings.allowUndeclaredPkce === true
        ? 'The settings allow it.'
        : '2025-03-26 asks no server to say so.',
    )
    return
  }
  const says =
    methods === undefined ? 'does not say that it knows PKCE' : `knows PKCE only as ${methods.join(', ')}`
  throw new OAuthError(
    'pkce',
    `${issuer} ${says}; expected S256 in code_challenge_methods_supported. Without it an authorization code could be stolen.${methods === undefined ? ' If you know that it takes PKCE, allow it in the settings of this server.' : ''}`,
  )
}
