import { clientCheck } from '../../check.ts'
import { describeEnding } from '../../exam/client-exam.ts'
import { attempt, lastFrame } from './attempt.ts'

const RESOURCE = '/.well-known/oauth-protected-resource'
const SERVER = '/.well-known/oauth-authorization-server'
const OPENID = '/.well-known/openid-configuration'

export const wellKnown = clientCheck(
  'auth.client.discovery-wellknown',
  async (exam) => {
    const authority = exam.protect()
    const { resource } = authority
    authority.challenge = 'Bearer'
    for (const place of [`${RESOURCE}/mcp`, RESOURCE]) {
      authority.locate = (pathname) => {
        if (!pathname.startsWith(RESOURCE)) return undefined
        return pathname === place ? resource : null
      }
      const tried = await attempt(exam, authority)
      const asked = tried.metadataPaths.filter((path) => path.startsWith(RESOURCE))
      const expected = place === RESOURCE ? [`${RESOURCE}/mcp`, RESOURCE] : [`${RESOURCE}/mcp`]
      const isRight =
        tried.authorizations.length > 0 && expected.every((path, index) => asked[index] === path)
      if (isRight) continue
      const finding = {
        expected: `metadata looked for at ${expected.join(', then ')}`,
        actual: `${asked.join(', ') || 'no request'}; ${describeEnding(tried.ending)}`,
        statement: 'auth.prm-location-client-both',
        frame: lastFrame(tried),
      }
      if (exam.cell.revision === '2025-06-18') exam.inform(finding)
      else exam.fail(finding)
    }
  },
  { title: 'The client looks for metadata at the well-known places' },
)

/** The forms of metadata addresses that a revision knows, in order. */
function formsOf(path: string, revision: string): readonly string[] {
  if (revision === '2025-03-26') return [SERVER]
  if (revision === '2025-06-18') return [`${SERVER}${path}`]
  return path === '' ? [SERVER, OPENID] : [`${SERVER}${path}`, `${OPENID}${path}`, `${path}${OPENID}`]
}

export const authorityForms = clientCheck(
  'auth.client.as-forms',
  async (exam) => {
    const authority = exam.protect()
    const { metadata = {}, resource } = authority
    const { publicOrigin } = exam.server
    const paths = exam.cell.revision === '2025-03-26' ? [''] : ['/as', '']
    for (const path of paths) {
      const issuer = `${publicOrigin}${path}`
      authority.metadata = { ...metadata, issuer }
      if (resource !== undefined) authority.resource = { ...resource, authorization_servers: [issuer] }
      const forms = formsOf(path, exam.cell.revision)
      for (const [place, form] of forms.entries()) {
        authority.locate = (pathname) => {
          if (pathname.startsWith(RESOURCE)) return undefined
          return pathname === form ? { ...metadata, issuer } : null
        }
        const tried = await attempt(exam, authority)
        const asked = tried.metadataPaths.filter((each) => !each.startsWith(RESOURCE))
        const known = asked.filter((each) => forms.includes(each))
        const inOrder = forms.slice(0, place + 1).every((each, index) => known[index] === each)
        exam.expect(tried.authorizations.length > 0 && inOrder, {
          expected: `metadata of ${issuer} found at ${form}`,
          actual: `${asked.join(', ') || 'no request'}; ${describeEnding(tried.ending)}`,
          statement: path === '' ? 'auth.discovery-order-root' : 'auth.discovery-order-path',
          frame: lastFrame(tried),
        })
      }
    }
  },
  { title: 'The client finds the metadata of authorization servers' },
)

export const oldRoot = clientCheck(
  'auth.client.2503-root',
  async (exam) => {
    const authority = exam.protect()
    const { metadata } = authority
    authority.locate = (pathname) => {
      if (pathname.startsWith(RESOURCE)) return null
      return pathname === SERVER ? metadata : null
    }
    const withMetadata = await attempt(exam, authority)
    exam.expect(withMetadata.authorizations.length > 0, {
      expected: `metadata of the origin used, from ${SERVER}`,
      actual: `${withMetadata.metadataPaths.join(', ') || 'no request'}; ${describeEnding(withMetadata.ending)}`,
      statement: 'auth.base-url-origin',
      frame: lastFrame(withMetadata),
    })
    authority.locate = () => null
    authority.alterCallback = (callback) => {
      callback.searchParams.delete('iss')
    }
    // Without metadata a client has a secret (RFC 8414, 2).
    authority.register = (asked) => ({
      status: 201,
      body: JSON.stringify({ ...asked, client_id: 'patchbay', client_secret: 'patchbay-secret' }),
    })
    const bare = await attempt(exam, authority)
    for (const path of ['/register', '/authorize', '/token'])
      exam.expect(
        bare.exchanges.some((exchange) => exchange.path.split('?')[0] === path),
        {
          expected: `${path} of the origin, where there is no metadata`,
          actual: `${bare.exchanges.map((exchange) => exchange.path.split('?')[0]).join(', ')}; ${describeEnding(bare.ending)}`,
          statement: 'auth.fallback-paths',
          frame: lastFrame(bare),
        },
      )
  },
  { title: 'The client of 2025-03-26 looks at the root of the origin' },
)

export const issuerMismatch = clientCheck(
  'auth.client.issuer-mismatch',
  async (exam) => {
    const authority = exam.protect()
    const { metadata = {} } = authority
    const issuer = String(metadata['issuer'])
    const issuers: readonly (readonly [what: string, issuer: string | undefined])[] = [
      ['another issuer', `${exam.server.publicOrigin}/other`],
      ['a trailing slash more', `${issuer}/`],
      ['another case', issuer.replace('/as', '/AS')],
      ['no issuer', undefined],
    ]
    for (const [what, value] of issuers) {
      const { issuer: _, ...rest } = metadata
      const spoiled = { ...rest, ...(value !== undefined && { issuer: value }) }
      authority.locate = (pathname) => (pathname.startsWith(RESOURCE) ? undefined : spoiled)
      const tried = await attempt(exam, authority)
      const used = tried.exchanges.find(
        ({ path }) => path.startsWith('/as/') && !path.includes('.well-known'),
      )
      exam.expect(used === undefined, {
        expected: `a client that stops at metadata with ${what}`,
        actual: `a request for ${used?.path.split('?')[0] ?? ''}`,
        frame: used?.frame,
      })
    }
  },
  { title: 'Metadata of another issuer is refused' },
)

export const resourceMismatch = clientCheck(
  'auth.client.resource-mismatch',
  async (exam) => {
    const authority = exam.protect()
    const { publicOrigin } = exam.server
    const cases = [
      ['another origin', 'https://other.example/mcp'],
      ['a sibling path', `${publicOrigin}/another`],
    ] as const
    for (const [what, resource] of cases) {
      authority.resource = { ...authority.resource, resource }
      const tried = await attempt(exam, authority)
      exam.expect(tried.authorizations.length === 0, {
        expected: `no authorization for the resource of ${what}`,
        actual: `an authorization at ${authority.issuer}`,
        frame: lastFrame(tried),
      })
    }
  },
  { title: 'Metadata of another resource is refused' },
)

export const pkceRefuse = clientCheck(
  'auth.client.pkce-refuse',
  async (exam) => {
    const authority = exam.protect()
    const { code_challenge_methods_supported: _, ...metadata } = authority.metadata ?? {}
    authority.metadata = metadata
    const without = await attempt(exam, authority)
    exam.expect(without.authorizations.length === 0, {
      expected: 'no authorization where PKCE is not announced',
      actual: 'an authorization',
      statement: 'auth.pkce-refuse-absent',
      frame: lastFrame(without),
    })
    authority.metadata = { ...metadata, code_challenge_methods_supported: ['plain'] }
    const plain = await attempt(exam, authority)
    if (plain.authorizations.some(({ request }) => request.get('code_challenge_method') !== 'S256'))
      exam.warn({
        expected: 'S256, or no authorization',
        actual: 'the method plain',
        statement: 'auth.pkce-verify-support',
        frame: lastFrame(plain),
      })
  },
  { title: 'The client insists on PKCE' },
)
