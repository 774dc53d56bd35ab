import type { Parsed } from '../protocol/parsed.ts'
import { challengeOf, challengeWords } from './challenge.ts'
import type { FlowAt, FlowState, ResourceFacts } from './flow-state.ts'
import type { FlowParts } from './flow-parts.ts'
import { readJsonReply, stringsIn } from './json-reply.ts'
import { OAuthError } from './oauth-error.ts'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/**
 * Where the metadata of a server may be, in the order in which it is looked for: what the challenge names, the
 * well-known place with the server's path, the one at the root (RFC 9728, 3.1; specification: Protected Resource
 * Metadata Discovery).
 */
export function resourceMetadataUrls(serverUrl: string, named: string | undefined): readonly string[] {
  const { origin, pathname, search } = new URL(serverUrl)
  const path = pathname === '/' ? '' : pathname.replace(/\/$/, '')
  const places = [
    ...(named === undefined ? [] : [named]),
    `${origin}${WELL_KNOWN}${path}${search}`,
    ...(path === '' && search === '' ? [] : [`${origin}${WELL_KNOWN}`]),
  ]
  return [...new Set(places)]
}

/**
 * Returns whether metadata of `resource` speaks for the server at that URL: the same origin, and a path that the
 * server's begins with; a slash at the end does not matter.
 */
export function coversServer(resource: string, serverUrl: string): boolean {
  const [theirs, ours] = [URL.parse(resource), URL.parse(serverUrl)]
  if (theirs === null || ours === null || theirs.origin !== ours.origin || theirs.origin === 'null')
    return false
  if (theirs.hash !== '' || theirs.username !== '' || theirs.password !== '') return false
  if (theirs.search !== '' && theirs.search !== ours.search) return false
  const path = theirs.pathname.replace(/\/$/, '')
  return ours.pathname === path || ours.pathname.startsWith(`${path}/`)
}

/** The URI by which tokens are asked for where no metadata says one (specification: Canonical Server URI). */
export function canonicalUri(serverUrl: string): string {
  const url = new URL(serverUrl)
  url.hash = ''
  return url.pathname === '/' && url.search === '' ? url.origin : url.href
}

/** Asks the server what it wants, by a request without a token that does nothing. */
export async function askServer(state: FlowAt<'challenge'>, parts: FlowParts): Promise<FlowState> {
  const why = 'Nothing was refused yet, so the server is asked once what it wants.'
  const challenge = await parts.log.exchange('challenge', why, parts.signal, async (fetch) => {
    const response = await fetch(state.serverUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    })
    const value = challengeOf(Object.fromEntries(response.headers))
    const words = challengeWords(value)
    const named = words === '' ? 'and names nothing' : `and names ${words}`
    return { decision: `The server answered HTTP ${response.status}, ${named}.`, value }
  })
  return { ...state, challenge, next: 'resource' }
}

/** Finds out what the server says of itself, and whom it trusts to issue tokens. */
export async function findResource(state: FlowAt<'resource'>, parts: FlowParts): Promise<FlowState> {
  const { serverUrl, challenge } = state
  const urls = resourceMetadataUrls(serverUrl, namedUrl(challenge.resourceMetadata))
  let problem: string | undefined
  for (const url of urls) {
    const found = await readOne(url, state, parts, url === challenge.resourceMetadata)
    if (found === undefined) continue
    if (!found.ok) {
      problem ??= found.reason
      continue
    }
    const resource = found.value
    return { ...state, next: 'server', resource, remainingServers: orderOf(resource, parts) }
  }
  if (problem !== undefined) throw new OAuthError('discovery', problem)
  const { origin } = new URL(serverUrl)
  parts.log.note(
    'authorization-server',
    `${origin} is taken for the authorization server as well.`,
    'The server has no metadata of its own, so it is one of 2025-03-26, whose authorization server is at the root of its address.',
  )
  const resource: ResourceFacts = {
    resource: canonicalUri(serverUrl),
    found: 'origin',
    authorizationServers: [origin],
  }
  return { ...state, next: 'server', resource, remainingServers: [origin] }
}

/** Undefined: there is none at this place. */
async function readOne(
  url: string,
  { serverUrl }: FlowAt<'resource'>,
  parts: FlowParts,
  isNamed: boolean,
): Promise<Parsed<ResourceFacts> | undefined> {
  const why = isNamed
    ? 'The challenge says that the metadata of the server is here.'
    : 'A well-known place for the metadata of the server (RFC 9728).'
  return parts.log.exchange<Parsed<ResourceFacts> | undefined>(
    'resource-metadata',
    why,
    parts.signal,
    async (fetch) => {
      const reply = await readJsonReply(await fetch(url, { method: 'GET', headers: metadataHeaders(parts) }))
      if (!reply.ok) return { decision: `Not here (${reply.reason}).`, value: undefined }
      const { resource, scopes_supported } = reply.value
      if (typeof resource !== 'string' || !coversServer(resource, serverUrl)) {
        const named = typeof resource === 'string' ? resource : 'no resource'
        throw new OAuthError(
          'resource-mismatch',
          `The metadata at ${url} is for ${named}, not for ${serverUrl}. A token for another server must not be asked for, so nothing more is done.`,
        )
      }
      const authorizationServers = stringsIn(reply.value['authorization_servers']) ?? []
      if (authorizationServers.length === 0) {
        const reason = `The metadata at ${url} names no authorization server.`
        return { decision: reason, value: { ok: false, reason } }
      }
      const scopes = stringsIn(scopes_supported)
      return {
        decision: `The server is ${resource}; it trusts ${authorizationServers.join(', ')}.`,
        value: {
          ok: true,
          value: {
            resource,
            found: 'metadata',
            metadataUrl: url,
            authorizationServers,
            ...(scopes === undefined ? {} : { scopes }),
          },
        },
      }
    },
  )
}

/** The chosen one alone; else all, in the order of the metadata. */
function orderOf({ authorizationServers }: ResourceFacts, { settings, log }: FlowParts): readonly string[] {
  const { issuer } = settings
  if (issuer === undefined) return authorizationServers
  if (authorizationServers.includes(issuer)) return [issuer]
  const message = `The settings choose the authorization server ${issuer}, and the server trusts ${authorizationServers.join(', ')} only. Choose one of them, or none.`
  log.recordFailure('authorization-server', message, 'The settings name one.')
  throw new OAuthError('discovery', message)
}

function namedUrl(text: string | undefined): string | undefined {
  const url = text === undefined ? null : URL.parse(text)
  return url === null ? undefined : text
}

export function metadataHeaders({ revision }: FlowParts): Record<string, string> {
  return {
    accept: 'application/json',
    ...(revision === undefined ? {} : { 'mcp-protocol-version': revision }),
  }
}
