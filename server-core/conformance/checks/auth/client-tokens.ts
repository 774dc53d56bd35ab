import { isJsonObject } from '../../../protocol/json.ts'
import { clientCheck } from '../../check.ts'
import { describeEnding, type ClientExam } from '../../exam/client-exam.ts'
import { startCanary } from '../security/clients.ts'
import { attempt, lastFrame } from './attempt.ts'

/** Lets a client use its connection until its token has ended. */
async function untilRefreshed(exam: ClientExam) {
  const connected = await exam.ending(exam.step({ type: 'connect' }), 8_000)
  if (connected.type !== 'done') return connected
  await exam.step({ type: 'idle', milliseconds: 1_300 })
  return exam.ending(exam.step({ type: 'list', list: 'tools' }), 8_000)
}

export const resourceIndicator = clientCheck(
  'auth.client.resource',
  async (exam) => {
    const authority = exam.protect()
    const expected = String(authority.resource?.['resource'])
    authority.alterToken = (reply, asked) =>
      asked.get('grant_type') === 'refresh_token'
        ? reply
        : { ...reply, expires_in: 1, refresh_token: 'patchbay-refresh' }
    const tried = await attempt(exam, authority, () => untilRefreshed(exam))
    if (tried.authorizations.length === 0)
      return exam.inconclusive(`the client asked for no authorization: ${describeEnding(tried.ending)}`)
    const requests: readonly (readonly [what: string, asked: URLSearchParams])[] = [
      ...tried.authorizations.map(({ request }) => ['the authorization', request] as const),
      ...tried.tokenRequests.map((asked) => [`the grant ${asked.get('grant_type') ?? ''}`, asked] as const),
    ]
    for (const [what, asked] of requests) {
      const resource = asked.get('resource')
      if (resource === expected) continue
      const isSlash = resource?.replace(/\/$/, '') === expected.replace(/\/$/, '')
      const finding = {
        expected: `the resource ${expected} in ${what}`,
        actual: resource ?? 'none',
        statement: isSlash ? 'auth.resource-no-slash' : 'auth.resource-both-requests',
        frame: lastFrame(tried),
      }
      if (isSlash) exam.warn(finding)
      else exam.fail(finding)
    }
  },
  { title: 'The client names the resource in every request for a token' },
)

export const tokenOtherHost = clientCheck(
  'auth.client.token-other-host',
  async (exam) => {
    const canary = await startCanary()
    try {
      const authority = exam.protect()
      exam.onHttp((exchange) => {
        const isList = isJsonObject(exchange.json) && exchange.json['method'] === 'tools/list'
        if (!isList || authority.tokens.size === 0) return false
        exchange.respond(307, { location: `${canary.origin}/mcp` })
        return true
      })
      const ending = await exam.ending(exam.run(), 8_000)
      if (authority.tokens.size === 0)
        return exam.inconclusive(`the client got no token: ${describeEnding(ending)}`)
      const leaked = canary.requests.find(({ headers }) => headers['authorization'] !== undefined)
      exam.expect(leaked === undefined, {
        expected: 'no token at another origin, whereto the server redirects',
        actual: `Authorization in a request for ${leaked?.path ?? ''}`,
        statement: 'auth.client-only-own-as-tokens',
        frame: exam.exchanges.at(-1)?.frame,
      })
    } finally {
      canary.close()
    }
  },
  { title: 'The token goes to its server alone' },
)

export const refresh = clientCheck(
  'auth.client.refresh',
  async (exam) => {
    const authority = exam.protect()
    const scopes = (each: URLSearchParams) => each.get('scope')?.split(' ') ?? []
    const plain = await attempt(exam, authority)
    if (plain.authorizations.length === 0)
      return exam.inconclusive(`the client asked for no authorization: ${describeEnding(plain.ending)}`)
    exam.expect(!plain.authorizations.some(({ request }) => scopes(request).includes('offline_access')), {
      expected: 'no offline_access where it is not listed',
      actual: 'offline_access',
      statement: 'auth.refresh-offline-access',
      frame: lastFrame(plain),
    })
    exam.expect(plain.ending.type === 'done', {
      expected: 'a client that works without refresh tokens',
      actual: describeEnding(plain.ending),
      statement: 'auth.refresh-not-assumed',
      frame: lastFrame(plain),
    })
    authority.alterToken = (reply, asked) =>
      asked.get('grant_type') === 'refresh_token'
        ? { error: 'invalid_grant' }
        : { ...reply, expires_in: 1, refresh_token: 'patchbay-refresh' }
    const refused = await attempt(exam, authority, async () => {
      const connected = await exam.ending(exam.step({ type: 'connect' }), 8_000)
      if (connected.type !== 'done') return connected
      await exam.step({ type: 'idle', milliseconds: 1_300 })
      authority.tokens.clear()
      return exam.ending(exam.step({ type: 'list', list: 'tools' }), 8_000)
    })
    const grants = refused.tokenRequests.filter((asked) => asked.get('grant_type') === 'refresh_token')
    exam.expect(grants.length <= 3 && refused.authorizations.length <= 3, {
      expected: 'a new authorization after a refused refresh, and no loop',
      actual: `${grants.length} refreshes and ${refused.authorizations.length} authorizations`,
      statement: 'auth.refresh-not-assumed',
      frame: lastFrame(refused),
    })
  },
  { title: 'The client takes refresh tokens as they come' },
)

const SCHEMES = [
  'http://169.254.169.254/token',
  'file:///etc/passwd',
  'ftp://127.0.0.1/x',
  'javascript:alert(1)',
]

export const unsafeEndpoints = clientCheck(
  'auth.client.ssrf',
  async (exam) => {
    const authority = exam.protect()
    const { metadata } = authority
    for (const address of SCHEMES) {
      for (const member of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint']) {
        authority.metadata = { ...metadata, [member]: address }
        const tried = await attempt(exam, authority)
        exam.expect(tried.ending.type === 'failed', {
          expected: `the ${member} ${address} refused`,
          actual: describeEnding(tried.ending),
          statement: 'auth.https-endpoints',
          frame: lastFrame(tried),
        })
      }
    }
  },
  { title: 'Unsafe addresses of endpoints are refused' },
)
