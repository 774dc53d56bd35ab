import { isLoopbackHost } from '../../../ports/host-name.ts'
import { clientCheck } from '../../check.ts'
import { describeEnding } from '../../exam/client-exam.ts'
import { shortJson } from '../../probe/outcome.ts'
import { attempt, lastFrame } from './attempt.ts'

const isDocument = (clientId: string | null) => clientId?.startsWith('https://') === true

export const registrationOrder = clientCheck(
  'auth.client.registration-order',
  async (exam) => {
    const authority = exam.protect()
    const { registration_endpoint: endpoint, ...metadata } = authority.metadata ?? {}
    const documents = { client_id_metadata_document_supported: true }
    authority.metadata = { ...metadata, ...documents }
    const documentAlone = await attempt(exam, authority)
    const hasDocument = documentAlone.authorizations.some(({ request }) =>
      isDocument(request.get('client_id')),
    )
    authority.metadata = { ...metadata, ...documents, registration_endpoint: endpoint }
    const both = await attempt(exam, authority)
    if (hasDocument && both.registrations.length > 0)
      exam.warn({
        expected: 'the metadata document of the client before a registration',
        actual: 'a registration',
        statement: 'auth.registration-order',
        frame: lastFrame(both),
      })
    authority.metadata = { ...metadata, registration_endpoint: endpoint }
    const dynamic = await attempt(exam, authority)
    if (dynamic.authorizations.length === 0)
      exam.warn({
        expected: 'a registration where nothing else is offered',
        actual: describeEnding(dynamic.ending),
        statement: 'auth.client-id-obtained',
        frame: lastFrame(dynamic),
      })
    authority.metadata = metadata
    const none = await attempt(exam, authority)
    const isClear = none.ending.type === 'failed' && none.ending.message.length > 0
    exam.expect(isClear || none.authorizations.length > 0, {
      expected: 'a clear request for client data where no way of registering is offered',
      actual: describeEnding(none.ending),
      statement: 'auth.client-id-obtained',
      frame: lastFrame(none),
    })
  },
  { title: 'The client registers in the order of the specification' },
)

export const clientDocument = clientCheck(
  'auth.client.cimd',
  async (exam) => {
    const authority = exam.protect()
    const { registration_endpoint: _, ...metadata } = authority.metadata ?? {}
    authority.metadata = { ...metadata, client_id_metadata_document_supported: true }
    const tried = await attempt(exam, authority)
    const request = tried.authorizations[0]?.request
    const clientId = request?.get('client_id') ?? null
    if (request === undefined || clientId === null || !isDocument(clientId))
      return exam.notApplicable('the client has no metadata document')
    const frame = lastFrame(tried)
    const report = (statement: string, expected: string, actual: string) => {
      exam.fail({ statement, expected, actual, frame })
    }
    if (new URL(clientId).pathname === '/')
      report('auth.cimd-id-https-path', 'an address with a path', clientId)
    const response = await fetch(clientId).catch(() => undefined)
    const document: unknown = await response?.json().catch(() => undefined)
    if (typeof document !== 'object' || document === null)
      return exam.inconclusive(`the document at ${clientId} cannot be reached`)
    const members = document as Record<string, unknown>
    if (members['client_id'] !== clientId)
      report('auth.cimd-id-matches', `the client_id ${clientId}`, shortJson(members['client_id']))
    if (typeof members['client_name'] !== 'string')
      report('auth.cimd-properties', 'a client_name', shortJson(members['client_name']))
    const redirects = Array.isArray(members['redirect_uris']) ? (members['redirect_uris'] as unknown[]) : []
    if (!redirects.includes(request.get('redirect_uri')))
      report('auth.cimd-properties', 'the redirect_uri that is used', shortJson(redirects))
  },
  { title: 'The metadata document of the client is right' },
)

export const registration = clientCheck(
  'auth.client.dcr',
  async (exam) => {
    const authority = exam.protect()
    const tried = await attempt(exam, authority)
    const [registered] = tried.registrations
    if (registered === undefined) return exam.notApplicable('the client does not register')
    const frame = lastFrame(tried)
    const redirects = Array.isArray(registered['redirect_uris'])
      ? (registered['redirect_uris'] as unknown[]).map(String)
      : []
    for (const redirect of redirects) {
      const url = URL.canParse(redirect) ? new URL(redirect) : undefined
      exam.expect(url !== undefined && (url.protocol !== 'http:' || isLoopbackHost(url.hostname)), {
        expected: 'redirects by https, to this machine or to an application',
        actual: redirect,
        statement: 'auth.redirect-local-or-https',
        member: '/redirect_uris',
        frame,
      })
    }
    const isNative = redirects.some(
      (redirect) => URL.canParse(redirect) && isLoopbackHost(new URL(redirect).hostname),
    )
    const type = registered['application_type']
    if (exam.cell.revision >= '2026-07-28')
      exam.expect(type === (isNative ? 'native' : 'web'), {
        expected: `the application_type "${isNative ? 'native' : 'web'}"`,
        actual: shortJson(type),
        statement: 'auth.dcr-application-type',
        member: '/application_type',
        frame,
      })
    const grants = registered['grant_types']
    if (!Array.isArray(grants) || !(grants as unknown[]).includes('refresh_token'))
      exam.warn({
        expected: 'refresh_token among grant_types',
        actual: shortJson(grants),
        statement: 'auth.refresh-grant-type',
        member: '/grant_types',
        frame,
      })
    for (const { request } of tried.authorizations) {
      const used = request.get('redirect_uri') ?? ''
      exam.expect(
        redirects.some((each) => sameRedirect(each, used)),
        {
          expected: 'a redirect that was registered',
          actual: used,
          statement: 'auth.redirects-registered',
          frame,
        },
      )
    }
  },
  { title: 'Registrations of the client are right' },
)

/** Ports of this machine may differ (RFC 8252, 7.3). */
function sameRedirect(registered: string, used: string): boolean {
  if (!URL.canParse(registered) || !URL.canParse(used)) return registered === used
  const [one, other] = [new URL(registered), new URL(used)]
  const isLoopback = isLoopbackHost(one.hostname) && one.hostname === other.hostname
  return isLoopback ? one.pathname === other.pathname : registered === used
}

export const registrationRefused = clientCheck(
  'auth.client.dcr-refused',
  async (exam) => {
    const authority = exam.protect()
    const refusals = [
      { status: 400, body: '{"error":"invalid_redirect_uri"}' },
      { status: 403, body: '{"error":"access_denied"}' },
      { status: 500, body: '{"error":"server_error"}' },
      { status: 200, body: '<html>Sign in</html>' },
    ]
    for (const refusal of refusals) {
      authority.register = () => refusal
      const tried = await attempt(exam, authority)
      const { length } = tried.registrations
      if (length === 0) return exam.notApplicable('the client does not register')
      const isClear = tried.ending.type === 'failed' && tried.ending.message.length > 0
      exam.expect(isClear && length <= 2 && tried.authorizations.length === 0, {
        expected: `a clear error when a registration is refused by HTTP ${refusal.status}`,
        actual: `${length} registrations, ${tried.authorizations.length} authorizations and ${describeEnding(tried.ending)}`,
        frame: lastFrame(tried),
      })
    }
  },
  { title: 'A refused registration is reported' },
)

export const otherAuthority = clientCheck(
  'auth.client.as-change',
  async (exam) => {
    const authority = exam.protect()
    const { publicOrigin } = exam.server
    const { metadata = {}, resource } = authority
    const second = { ...metadata, issuer: `${publicOrigin}/as2` }
    for (const name of ['authorization', 'token', 'registration'] as const)
      Object.assign(second, {
        [`${name}_endpoint`]: String(metadata[`${name}_endpoint`]).replace('/as/', '/as2/'),
      })
    authority.locate = (pathname) => (pathname.includes('/as2') ? second : undefined)
    await exam.connect()
    const first = authority.authorizations[0]?.request.get('client_id')
    const tokens = [...authority.tokens]
    if (first === null || first === undefined)
      return exam.inconclusive('the client asked for no authorization')
    authority.resource = { ...resource, authorization_servers: [second.issuer] }
    authority.tokens.clear()
    const from = exam.exchanges.length
    await exam.ending(exam.step({ type: 'list', list: 'tools' }), 8_000)
    const there = exam.exchanges.slice(from).filter(({ path }) => path.startsWith('/as2/'))
    if (there.length === 0)
      return exam.inconclusive('the client did not go to the other authorization server')
    for (const { path, body, frame, headers } of there) {
      const text = `${path} ${body.toString()} ${headers['authorization'] ?? ''}`
      const asked = new URL(path, publicOrigin).searchParams.get('client_id')
      const isShown = asked === first || new URLSearchParams(body.toString()).get('client_id') === first
      const hasToken = tokens.some((token) => text.includes(token))
      if (!isShown && !hasToken) continue
      const finding = {
        expected: 'nothing of the first authorization server at the second',
        actual: hasToken ? 'its token' : `the client_id ${first}`,
        statement: hasToken ? 'auth.client-only-own-as-tokens' : 'auth.credentials-by-issuer',
        frame,
      }
      if (!hasToken && exam.cell.revision < '2026-07-28') exam.warn(finding)
      else exam.fail(finding)
    }
  },
  { title: 'Credentials belong to one authorization server' },
)

export const preregistered = clientCheck(
  'auth.client.prereg-mismatch',
  (exam) => Promise.resolve(exam.notApplicable('the client has no credentials from a registration by hand')),
  { title: 'Credentials of another issuer are not sent' },
)
