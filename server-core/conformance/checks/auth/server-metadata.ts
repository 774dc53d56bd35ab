import { isLoopbackHost } from '../../../ports/host-name.ts'
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { passiveCheck, serverCheck } from '../../check.ts'
import type { HttpExchange } from '../../probe/http-exchange.ts'
import { shortJson } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'

type Document = {
  readonly url: string
  readonly exchange: HttpExchange
  readonly value: JsonObject | undefined
}

/** GETs a JSON document. */
async function getDocument(probe: ServerProbe, url: string): Promise<Document> {
  const exchange = probe.http({ method: 'GET', url, headers: { accept: 'application/json' } })
  await exchange.ended
  const { status = 0 } = exchange.response ?? {}
  return { url, exchange, value: status === 200 ? parsed(exchange.body) : undefined }
}

function parsed(body: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(body.toString())
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Where the metadata of a resource or issuer may be: with its path after the well-known part, and at the root. */
function wellKnown(address: string, name: string): readonly string[] {
  const { origin, pathname } = new URL(address)
  const path = pathname.replace(/\/$/, '')
  const root = `${origin}/.well-known/${name}`
  return path === '' ? [root] : [`${root}${path}`, root]
}

/** The metadata of the protected server as a resource, at the first place that has it. */
async function resourceMetadata(probe: ServerProbe): Promise<Document> {
  const { url } = probe.protectedServer()
  const refused = probe.http({ method: 'GET', url, headers: { accept: 'text/event-stream' } })
  await refused.head
  refused.close()
  const challenge = refused.response?.headers['www-authenticate'] ?? ''
  const named = /resource_metadata="([^"]+)"/.exec(challenge)?.[1]
  const places = [...(named === undefined ? [] : [named]), ...wellKnown(url, 'oauth-protected-resource')]
  let last: Document | undefined
  for (const place of places) {
    last = await getDocument(probe, place)
    if (last.value !== undefined) return last
  }
  if (last === undefined) return probe.inconclusive('no place of metadata is known')
  return last
}

const isSecure = (address: unknown) => {
  if (typeof address !== 'string' || !URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))
}

const issuersOf = (value: JsonObject): readonly unknown[] =>
  Array.isArray(value['authorization_servers']) ? (value['authorization_servers'] as unknown[]) : []

export const resourceDocument = serverCheck(
  'auth.server.prm',
  async (probe) => {
    const { url: endpoint } = probe.protectedServer()
    const { exchange, value } = await resourceMetadata(probe)
    const frame = exchange.responseFrame ?? exchange.requestFrame
    if (value === undefined) {
      probe.fail({
        expected: 'metadata of the protected resource',
        actual: `HTTP ${exchange.response?.status ?? 0}`,
        statement: 'auth.prm-server',
        frame,
      })
      return
    }
    const { resource } = value
    const isUrl = typeof resource === 'string' && URL.canParse(resource)
    const isOwnOrigin = isUrl && new URL(resource).origin === new URL(endpoint).origin
    if (!isOwnOrigin)
      probe.fail({
        expected: `the resource ${endpoint}`,
        actual: shortJson(resource),
        statement: 'auth.prm-server',
        member: '/resource',
        frame,
      })
    else if (new URL(resource).href !== new URL(endpoint).href)
      probe.warn({
        expected: `the resource ${endpoint}`,
        actual: resource,
        statement: 'auth.prm-server',
        member: '/resource',
        frame,
      })
    const issuers = issuersOf(value)
    probe.expect(issuers.length > 0 && issuers.every(isSecure), {
      expected: 'authorization servers by https',
      actual: shortJson(value['authorization_servers']),
      statement: 'auth.prm-has-as',
      member: '/authorization_servers',
      frame,
    })
  },
  { title: 'The server describes itself as a protected resource' },
)

export const authorityDocument = serverCheck(
  'auth.server.as-metadata',
  async (probe) => {
    const isOld = probe.cell.revision === '2025-03-26'
    const { url } = probe.protectedServer()
    const { value: resource } = await resourceMetadata(probe)
    const [named] = resource === undefined ? [] : issuersOf(resource)
    const issuer = typeof named === 'string' ? named : isOld ? new URL(url).origin : undefined
    if (issuer === undefined) return probe.inconclusive('no authorization server is named')
    const path = new URL(issuer).pathname.replace(/\/$/, '')
    const places = [
      ...wellKnown(issuer, 'oauth-authorization-server').slice(0, path === '' ? undefined : 1),
      ...wellKnown(issuer, 'openid-configuration').slice(0, path === '' ? undefined : 1),
      ...(path === '' ? [] : [`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`]),
    ]
    const documents: Document[] = []
    for (const place of places) {
      const document = await getDocument(probe, place)
      documents.push(document)
      if (document.value !== undefined) break
    }
    const last = documents.at(-1)
    const frame = last?.exchange.responseFrame ?? last?.exchange.requestFrame
    const metadata = last?.value
    if (metadata === undefined) {
      probe.fail({
        expected: `metadata of ${issuer}`,
        actual: `none at ${places.join(', ')}`,
        statement: 'auth.as-metadata-provided',
        frame,
      })
      return
    }
    probe.expect(isOld || metadata['issuer'] === issuer, {
      expected: `the issuer ${issuer}`,
      actual: shortJson(metadata['issuer']),
      statement: 'auth.as-metadata-provided',
      member: '/issuer',
      frame,
    })
    for (const member of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'])
      if (metadata[member] !== undefined)
        probe.expect(isSecure(metadata[member]), {
          expected: `an ${member} by https`,
          actual: shortJson(metadata[member]),
          statement: 'auth.https-endpoints',
          member: `/${member}`,
          frame,
        })
    const methods = metadata['code_challenge_methods_supported']
    if (!Array.isArray(methods) || !(methods as unknown[]).includes('S256')) {
      const finding = {
        expected: 'S256 among code_challenge_methods_supported',
        actual: shortJson(methods),
        statement: 'auth.pkce-oidc-as',
        member: '/code_challenge_methods_supported',
        frame,
      }
      if (probe.cell.revision < '2025-11-25') probe.inform(finding)
      else probe.fail(finding)
    }
  },
  { title: 'The authorization server has metadata' },
)

export const oldMetadata = serverCheck(
  'auth.server.2503-metadata',
  async (probe) => {
    const { origin } = new URL(probe.protectedServer().url)
    const newer = await resourceMetadata(probe)
    if (newer.value !== undefined)
      return probe.notApplicable('the server names another authorization server, as later revisions do')
    const { value, exchange } = await getDocument(probe, `${origin}/.well-known/oauth-authorization-server`)
    const frame = exchange.responseFrame ?? exchange.requestFrame
    if (value !== undefined) {
      if (value['registration_endpoint'] === undefined)
        probe.warn({
          expected: 'a registration_endpoint',
          actual: 'none',
          statement: 'auth.dcr-support-25-03',
          member: '/registration_endpoint',
          frame,
        })
      return
    }
    for (const path of ['/authorize', '/token']) {
      const usual = probe.http({ method: path === '/token' ? 'POST' : 'GET', url: `${origin}${path}` })
      await usual.ended
      const { status = 0 } = usual.response ?? {}
      probe.expect(status !== 404 && status !== 0, {
        expected: `metadata at the root of the origin, or ${path}`,
        actual: `HTTP ${status}`,
        statement: 'auth.fallback-server',
        frame: [
          ...(frame === undefined ? [] : [frame]),
          ...(usual.requestFrame === undefined ? [] : [usual.requestFrame]),
        ],
      })
    }
  },
  { title: 'Metadata of 2025-03-26 is at the root of the origin' },
)

export const noOfflineAccess = passiveCheck(
  'auth.server.offline-access',
  (transcript) => {
    for (const frame of transcript.examinedFrames(({ http }) => http !== undefined)) {
      const challenge = frame.http?.headers['www-authenticate'] ?? ''
      const scopes = isJsonObject(frame.value) ? frame.value['scopes_supported'] : undefined
      const isListed = Array.isArray(scopes) && (scopes as unknown[]).includes('offline_access')
      if (!isListed && !/scope="[^"]*\boffline_access\b/.test(challenge)) continue
      transcript.warn({
        expected: 'no offline_access',
        actual: isListed ? 'offline_access in scopes_supported' : challenge,
        member: isListed ? '/scopes_supported' : '/headers/www-authenticate',
        frame,
      })
    }
  },
  { title: 'The server asks for no offline access' },
)
